/** The parts of the benchmark, in the order of its report. */
import type { Part } from '../report.mts';
import { codec } from './codec.mts';
import { start } from './start.mts';

export const parts: readonly Part[] = [codec, start];
