import { unfinishedParse } from '../../../nodes/shared/soap/xmlLibrary.ts';

it("the library's parser and its objects stay in use, so that V8 keeps their optimised code", () => {
	expect(unfinishedParse).toEqual([
		expect.objectContaining({ matcher: expect.anything(), entityDecoder: expect.anything() }),
	]);
});
