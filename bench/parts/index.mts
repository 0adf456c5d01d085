/** The parts of the benchmark, in the order of its report. */
import type { Part } from '../report.mts';
import { adaptiveConcurrency } from './adaptive.mts';
import { batch } from './batch.mts';
import { codec } from './codec.mts';
import { description } from './description.mts';
import { floor } from './floor.mts';
import { hourCodes } from './hour-codes.mts';
import { items } from './items.mts';
import { queue } from './queue.mts';
import { session } from './session.mts';
import { start } from './start.mts';
import { tls } from './tls.mts';

export const parts: readonly Part[] = [
	batch,
	queue,
	adaptiveConcurrency,
	floor,
	tls,
	codec,
	description,
	hourCodes,
	items,
	session,
	start,
];
