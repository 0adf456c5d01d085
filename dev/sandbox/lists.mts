/**
 * The hour codes of docs/dev/interface.md, section 4.2, and lists that it does not show, with pages as services of this kind
 * send them.
 */
import { json, whole } from './http.mts';
import type { Reply } from './http.mts';
import type { Modes } from './options.mts';
import type { HourCode, State } from './state.mts';

type Row = Record<string, unknown>;

/** The address parameters of a list, by name. */
type Filters = URLSearchParams;

interface List {
	path: RegExp;
	/** The rows; undefined if what the path names does not exist. */
	rows(state: State, id: number, filters: Filters): Row[] | undefined;
}

const departments = ['Magazijn & Expeditie', 'R&D', 'Café', "Directie 's-Hertogenbosch", 'Verkoop'];

const department = (index: number) => {
	const number = index % departments.length;
	return { departmentId: `d-${number + 1}`, name: departments[number] ?? '' };
};

const lists: List[] = [
	{
		path: /^\/api\/companies$/,
		rows: (state) =>
			[...state.companies.keys()].map((companyId, index) => ({
				companyId,
				number: String(index + 1),
				name: `Bedrijf ${index + 1}`,
			})),
	},
	{
		path: /^\/api\/companies\/([^/]+)\/departments$/,
		rows: (state, id) =>
			state.companies.has(id) ? departments.map((_name, index) => department(index)) : undefined,
	},
	{
		path: /^\/api\/companies\/([^/]+)\/employees$/,
		rows(state, id, filters) {
			if (!state.companies.has(id)) return undefined;
			const wanted = filters.getAll('department');
			return [...state.employees]
				.filter(([, { companyId }]) => companyId === id)
				.map(([employeeId], index) => ({
					employeeId,
					displayName: `Ö.J. de Groot-${employeeId}`,
					department: department(index).name,
					endDate: index % 10 === 9 ? '2026-05-31' : null,
				}))
				.filter((row) => wanted.length === 0 || wanted.includes(row.department));
		},
	},
];

const hourCodePath = /^\/api\/companies\/([^/]+)\/hourcodes$/;

/** Takes the address of a request; returns a page of its list, or undefined for an address without one. */
export function listPage(url: URL, state: State, modes: Readonly<Modes>): Reply | undefined {
	const [, companyId] = hourCodePath.exec(url.pathname) ?? [];
	if (companyId !== undefined) {
		const company = state.companies.get(Number(companyId));
		return company
			? hourCodes(company.hourCodes, url, modes)
			: json(404, { statusCode: 404, message: 'The company does not exist.' });
	}
	for (const { path, rows: rowsOf } of lists) {
		const match = path.exec(url.pathname);
		if (!match) continue;
		const rows = rowsOf(state, Number(match[1]), url.searchParams);
		if (!rows) return problem(404, 'Not Found', `There is no company ${match[1]}.`);
		return pageOf(rows, url, modes);
	}
	return undefined;
}

/** The part of the rows that an address asks for; the name of its parameter that is not valid, if one is not. */
function part<T>(
	all: readonly T[],
	url: URL,
	{ firstPage, pageSizeCap }: Readonly<Modes>,
	[usual, largest]: [usual: number, largest: number],
) {
	const pageNumber = whole(url, 'pageNumber', firstPage, firstPage);
	const asked = whole(url, 'pageSize', usual, 1);
	if (pageNumber === undefined) return { wrong: 'pageNumber' };
	if (asked === undefined) return { wrong: 'pageSize' };
	const pageSize = Math.min(asked, pageSizeCap ?? largest);
	const index = pageNumber - firstPage;
	const rows = all.slice(index * pageSize, (index + 1) * pageSize);
	return { pageNumber, pageSize, index, rows, totalPages: Math.ceil(all.length / pageSize) };
}

/** A page of hour codes: docs/dev/interface.md does not specify the size of one. */
function hourCodes(all: readonly HourCode[], url: URL, modes: Readonly<Modes>): Reply {
	const page = part(all, url, modes, [25, Infinity]);
	if (page.wrong !== undefined) {
		return json(400, { statusCode: 400, message: `The parameter ${page.wrong} is not valid.` });
	}
	const { rows: items, pageNumber, pageSize, totalPages } = page;
	if (modes.hourCodeBody === 'array') return json(200, items);
	return json(200, { items, totalCount: all.length, totalPages, pageNumber, pageSize });
}

/** A problem (RFC 9457), with the errors of fields as ASP.NET Core adds them. */
function problem(status: number, title: string, detail?: string, errors?: object): Reply {
	const body = { type: `https://httpstatuses.io/${status}`, title, status, detail, errors };
	return json(status, body, { 'Content-Type': 'application/problem+json; charset=utf-8' });
}

function pageOf(all: readonly Row[], url: URL, modes: Readonly<Modes>): Reply {
	const page = part(all, url, modes, [20, 100]);
	if (page.wrong !== undefined) {
		return problem(400, 'One or more validation errors occurred.', undefined, {
			[page.wrong]: [`The value '${url.searchParams.get(page.wrong)}' is not valid.`],
		});
	}
	const { rows: data, pageNumber, pageSize, index, totalPages } = page;
	const link = (number: number) => {
		const target = new URL(url);
		target.searchParams.set('pageNumber', String(number));
		target.searchParams.set('pageSize', String(pageSize));
		return target.href;
	};
	return json(200, {
		data,
		pagination: {
			pageNumber,
			pageSize,
			firstPage: link(modes.firstPage),
			lastPage: link(modes.firstPage + Math.max(totalPages, 1) - 1),
			totalPages,
			totalRecords: all.length,
			nextPage: index + 1 < totalPages ? link(pageNumber + 1) : '',
			previousPage: index > 0 ? link(pageNumber - 1) : '',
		},
	});
}
