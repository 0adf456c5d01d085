// Prints each row of each table of a SQLite database as a line of JSON. The Node.js of n8n runs it, which has node:sqlite.
// The file itself splits long values, so that a search would miss what is split.
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
