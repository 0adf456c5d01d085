import { fill, texts } from '../../../nodes/shared/errors/catalogue.ts';
import { failure, ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';

it('fills in each value once, whatever it holds', () => {
	const values = { peer: '{code}', code: "$&, '{field}'", field: 'REST Address' };
	expect(failure(texts.noAnswer.insecure, values)).toMatchObject({
		kind: 'insecure',
		message: 'No secure connection to the {code} could be made',
		description:
			"Its certificate or encryption was not accepted ($&, '{field}'). Check 'REST Address' in the credential.",
	});
});

// Made by the compiler (`npm run typecheck`).
it('an error does not compile without its kind, with another text, or without a value', () => {
	const { title, advice } = texts.noAnswer.broken;
	expect(new ServiceError('broken', fill(title, { peer: 'service' })).outcome).toBe('unknown');
	// @ts-expect-error a text that is not of the catalogue
	expect(new ServiceError('broken', 'The line is down')).toBeInstanceOf(Error);
	// @ts-expect-error a text whose value is not filled in
	expect(new ServiceError('broken', title)).toBeInstanceOf(Error);
	// @ts-expect-error no kind
	expect(new ServiceError(texts.credential.readOnly.title)).toBeInstanceOf(Error);
	// @ts-expect-error another value
	expect(fill(advice, { peer: 'service' })).toMatch('undefined');
});
