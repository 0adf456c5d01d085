/** What is searched for its worst case, by name. */
import { description } from './description.mts';
import { fault } from './fault.mts';
import { json } from './json.mts';
import type { Kind } from './kind.mts';
import { xml } from './xml.mts';

export const kinds: Readonly<Record<string, Kind>> = { xml, json, fault, description };
