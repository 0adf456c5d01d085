/** Answers of gateways, proxies and firewalls in front of the service, as products send them. */
import { executed, HTML_TYPE, json, reply, type Act } from '../acts.mts';
import {
	fault,
	notFound,
	refused,
	transient,
	unusable,
	type Fault,
	type Group,
} from '../fault.mts';
import { answer } from '../message.mts';
import { httpStatus } from './messages.mts';
import { unproven } from './status.mts';

const nginx = (title: string): string =>
	`<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;

function html(status: number, title: string): Act {
	return reply(() => answer(status, HTML_TYPE, nginx(title)));
}

function plain(status: number, text: string): Act {
	return reply(() => answer(status, 'text/plain', text));
}

/** An answer whose status proves nothing: before and after the service did what was asked. */
function doubtful(name: string, status: number, act: Act): Fault[] {
	return [
		fault(`${status}, ${name}`, act, unproven(status)),
		fault(`${status}, ${name}, executed`, executed(act), unusable(httpStatus(status))),
	];
}

const azure = (statusCode: number, message: string): Act =>
	json(statusCode, { statusCode, message, activityId: '0b7a1f9e-5d3c-4f0e-9d6c-2f1e4a5b6c7d' });

const TITLES = {
	400: 'Bad Request',
	408: 'Request Time-out',
	409: 'Conflict',
	410: 'Gone',
} as const;

export const gateways: Group = {
	name: 'Gateways',
	faults: [
		...doubtful('of a firewall', 400, json(400, { error: 'Request blocked', supportID: '1790' })),
		...Object.entries(TITLES).flatMap(([code, title]) =>
			doubtful('of nginx', Number(code), html(Number(code), `${code} ${title}`)),
		),
		...doubtful('of Azure', 422, azure(422, 'Unprocessable')),
		...doubtful('of nginx', 499, html(499, '499 Client Closed Request')),
		...doubtful('of Azure', 500, azure(500, 'Internal server error')),
		...doubtful('of a proxy', 524, html(524, '524 A timeout occurred')),
		fault(
			'502 of nginx, executed',
			executed(html(502, '502 Bad Gateway')),
			transient(true, httpStatus(502)),
		),
		fault(
			'504 of nginx, executed',
			executed(html(504, '504 Gateway Time-out')),
			transient(true, httpStatus(504)),
		),
		fault(
			'503 of Envoy, executed',
			executed(plain(503, 'upstream connect error or disconnect/reset before headers')),
			transient(true, httpStatus(503)),
		),
		fault('413 of nginx', html(413, '413 Request Entity Too Large'), refused(httpStatus(413))),
		fault('404 of Azure', azure(404, 'Resource not found'), notFound(httpStatus(404))),
		fault(
			'429 of Azure',
			json(
				429,
				{ statusCode: 429, message: 'Rate limit is exceeded. Try again in 1 seconds.' },
				{ 'Retry-After': '1' },
			),
			refused(httpStatus(429), 4),
		),
	],
};
