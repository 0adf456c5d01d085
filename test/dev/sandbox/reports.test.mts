/** A report that the sandbox makes in the background. */
import { post } from './envelope.mts';
import { useService } from './setUp.mts';

const service = useService({}, { schemaValidation: true, reportChecks: 2 });

async function call(operation: string, content: string) {
	const answer = await post(service, { service: 'ReportService', operation, content });
	expect(answer.status).toBe(200);
	expect(await service.sandbox.validate('ReportService', answer.text)).toEqual([]);
	return answer.text;
}

const start = async (year: number): Promise<string> => {
	const name = 'Reports_Accountant_Company_EmployeeWageComponentsPerRunPeriod_Background';
	const text = await call(name, `<companyId>100</companyId><year>${year}</year>`);
	return /Result>([0-9a-f-]{36})</.exec(text)?.[1] ?? '';
};

async function ask(task: string): Promise<[status: string | undefined, hasContent: boolean]> {
	const text = await call('Reports_BackgroundTask_Result', `<TaskId>${task}</TaskId>`);
	return [/<Status>(\w+)</.exec(text)?.[1], text.includes('<Content>')];
}

it.each([
	[2026, 'Success', true],
	[2019, 'Error', false],
])('of %i is asked for in vain twice, and then ends as %s', async (year, status, hasContent) => {
	const [one, other] = [await start(year), await start(year)];
	expect(one).not.toBe(other);
	expect(await ask(one)).toEqual(['Enqueued', false]);
	expect(await ask(one)).toEqual(['Executing', false]);
	expect(await ask(one)).toEqual([status, hasContent]);
	expect(await ask(other)).toEqual(['Enqueued', false]);
});

it('is unknown if nobody started it', async () => {
	expect(await ask('7c9e6679-7425-40de-944b-0000000003e9')).toEqual(['Unknown', false]);
});
