/** GET /api/companies/{companyId}/hourcodes of docs/dev/interface.md, section 4.2. */
import { json, whole } from './http.mts';
import type { Reply } from './http.mts';
import type { Modes } from './options.mts';
import type { State } from './state.mts';

/** Page size if the request names none; docs/dev/interface.md does not specify one. */
const defaultPageSize = 25;

/**
 * Takes the address of a request; returns a page of hour codes, or undefined for another address.
 */
export function hourCodes(url: URL, state: State, modes: Readonly<Modes>): Reply | undefined {
	const companyId = /^\/api\/companies\/([^/]+)\/hourcodes$/.exec(url.pathname)?.[1];
	if (companyId === undefined) return undefined;
	const company = state.companies.get(/^\d+$/.test(companyId) ? Number(companyId) : NaN);
	if (!company) return json(404, { statusCode: 404, message: 'The company does not exist.' });
	const pageNumber = whole(url, 'pageNumber', modes.firstPage, modes.firstPage);
	const asked = whole(url, 'pageSize', defaultPageSize, 1);
	if (pageNumber === undefined || asked === undefined) {
		const wrong = pageNumber === undefined ? 'pageNumber' : 'pageSize';
		return json(400, { statusCode: 400, message: `The parameter ${wrong} is not valid.` });
	}
	const pageSize = Math.min(asked, modes.pageSizeCap ?? asked);
	const start = (pageNumber - modes.firstPage) * pageSize;
	const items = company.hourCodes.slice(start, start + pageSize);
	const totalCount = company.hourCodes.length;
	const totalPages = Math.ceil(totalCount / pageSize);
	switch (modes.hourCodeBody) {
		case 'array':
			return json(200, items);
		case 'items':
			return json(200, { items });
		case 'metadata':
			return json(200, { items, totalCount, totalPages, pageNumber, pageSize });
	}
}
