/** The form of an address in the editor: its usual fields, and its country. */
import { sentOperations } from '../../package/requests.mts';
import { versions } from '../setUp.mts';
import { picture } from './pictures.mts';
import { useEditor } from './setUp.mts';

const some = { street: 'Singel', city: 'Amsterdam' };
const address = { resource: 'address', operation: 'update', companyId: '={{ $json.id }}' };

describe.each(versions)('an address in the editor of n8n %s', (version) => {
	const editor = useEditor(version);

	editor.step(
		'has its usual fields marked, or left out by a switch, and a country by name',
		async () => {
			const { view } = await editor.open('payrollCompany', address, { input: [{ id: 100 }] });
			await view.typeAll(some);
			const marked = view.main.getByTestId('parameter-issues');
			await marked.first().waitFor();
			expect(await marked.count()).toBe(2);
			await picture(editor.page, editor.named('address-marked'), [view.main]);
			await view.turn('onlyTheseFields');
			await marked.first().waitFor({ state: 'detached' });
			await view.field('countryISOCode').click();
			await editor.page.keyboard.type('nether');
			await picture(editor.page, editor.named('address-country'), [], { hasMenu: true });
			await view.option('Netherlands (NL)').click();
			await picture(editor.page, editor.named('address'), [view.main]);
			await view.execute();
			await view.close();
			expect((await sentOperations(editor.stage.sandbox))[0]).toContain(
				'<Address><Street>Singel</Street><City>Amsterdam</City><CountryISOCode>NL</CountryISOCode></Address>',
			);
		},
	);
});
