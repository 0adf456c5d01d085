// Prints every row of every table of a SQLite database as a line of JSON. Run by the Node.js of n8n, which has
// node:sqlite; in the file itself a long value lies in pieces, in which a search would miss what is cut.
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(process.argv[2], { readOnly: true });
const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
for (const { name } of tables) {
	for (const row of database.prepare(`SELECT * FROM "${name}"`).iterate()) {
		for (const [column, value] of Object.entries(row)) {
			if (value instanceof Uint8Array) row[column] = Buffer.from(value).toString('latin1');
		}
		process.stdout.write(`${JSON.stringify({ table: name, row })}\n`);
	}
}
