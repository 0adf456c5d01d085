/** A mail server on this machine, and the messages that it has got. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Server } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { freePort } from '../../../dev/listen.mts';
import { installN8n, newestN8n } from '../../../dev/n8n/install.mts';
import { Pending } from '../../support/setUp.mts';
import { INSTALLING } from '../setUp.mts';

/** A message, as it arrived. */
interface Mail {
	/** The addresses that the mail server was told to deliver to. */
	to: string[];
	subject: string;
	text: string;
	/** The contents of the attachments, by file name. */
	files: Map<string, Buffer>;
}

/** What is used of the mail server. */
interface SmtpServer {
	listen(port: number, host: string, listening: () => void): Server;
	close(closed: () => void): void;
}
type Done = (error?: Error | null) => void;
interface Address {
	address: string;
}
interface SmtpOptions {
	authOptional: boolean;
	disabledCommands: string[];
	size: number;
	onRcptTo(address: Address, session: unknown, done: Done): void;
	onData(stream: Readable, session: { envelope: { rcptTo: Address[] } }, done: Done): void;
}

/** What is used of the parser of messages, which n8n itself uses. */
interface Parsed {
	subject?: string;
	text?: string;
	attachments: Array<{ filename?: string; content: Buffer }>;
}

/** A running mail server. */
interface MailServer {
	readonly port: number;
	/** What has arrived since the last call. */
	received(): Mail[];
	/** Addresses that it refuses from now on. */
	refuse(...addresses: string[]): void;
}

const require = createRequire(import.meta.url);

/** A mail server for the tests of a file, which takes any message without a login; each test begins without messages. */
export function useMailServer(): MailServer {
	const mail = new Pending<MailServer>('mail server');
	const mails: Mail[] = [];
	let refused: readonly string[] = [];
	let server: SmtpServer | undefined;
	beforeAll(async () => {
		const { SMTPServer } = require('smtp-server') as {
			SMTPServer: new (options: SmtpOptions) => SmtpServer;
		};
		const { folder } = await installN8n(newestN8n);
		const { simpleParser } = createRequire(join(folder, 'package.json'))('mailparser') as {
			simpleParser(message: Buffer): Promise<Parsed>;
		};
		const keep = async (message: Buffer, rcptTo: Address[]): Promise<void> => {
			const { subject = '', text = '', attachments } = await simpleParser(message);
			const files = attachments.map(({ filename = '', content }) => [filename, content] as const);
			const to = rcptTo.map(({ address }) => address);
			mails.push({ to, subject, text, files: new Map(files) });
		};
		server = new SMTPServer({
			authOptional: true,
			disabledCommands: ['STARTTLS'],
			size: 64 * 1024 * 1024,
			onRcptTo: ({ address }, _session, done) =>
				done(refused.includes(address) ? new Error(`No mailbox ${address}`) : null),
			onData: (stream, { envelope }, done) => {
				void buffer(stream)
					.then(async (message) => await keep(message, envelope.rcptTo))
					.then(() => done(), done);
			},
		});
		const port = await freePort();
		await new Promise<void>((listening) => server?.listen(port, '127.0.0.1', listening));
		mail.is({
			port,
			received: () => mails.splice(0),
			refuse: (...addresses) => (refused = addresses),
		});
	}, INSTALLING);
	beforeEach(() => {
		mails.length = 0;
		refused = [];
	});
	afterAll(async () => await new Promise<void>((closed) => server?.close(closed)));
	return mail.object;
}

/** The data of n8n's credential for it. */
export const smtpData = ({ port }: MailServer) => ({
	...{ user: '', password: '', host: '127.0.0.1', port, secure: false },
	...{ disableStartTls: true, hostName: '' },
});
