/** The parts of the benchmark, in the order of its report. */
import type { Part } from '../report.mts';
import { hourCodes } from './hour-codes.mts';
import { session } from './session.mts';
import { start } from './start.mts';

export const parts: readonly Part[] = [hourCodes, session, start];
