/** The parts of the benchmark, in the order of its report. */
import type { Part } from '../report.mts';
import { batch } from './batch.mts';
import { codec } from './codec.mts';
import { floor } from './floor.mts';
import { job } from './job.mts';
import { session } from './session.mts';
import { start } from './start.mts';

export const parts: readonly Part[] = [batch, job, floor, codec, session, start];
