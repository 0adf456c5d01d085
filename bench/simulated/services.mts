/** Simulated services, each with its own way to be busy. */
import type { Clock } from './clock.mts';

/** How a call ended, with the pause that the service asks for in milliseconds, if any. */
export type Reply = (how: 'answered' | 'lost' | 'refused', retryAfterMs?: number) => void;

/** Takes calls, each of which gets one reply. */
export type Service = (reply: Reply) => void;

/** What a service is made of. */
export interface World {
	readonly clock: Clock;
	readonly random: () => number;
}

/** How long the service works on a call, in milliseconds. */
type Duration = (world: World) => number;

/** The time of the network, there and back. */
const NETWORK_MS = 1;

/** When the service changes in the middle of a run. */
const NOON_MS = 4000;

const fixed =
	(milliseconds: number): Duration =>
	() =>
		milliseconds;

const byNoon =
	(before: number, after: number): Duration =>
	({ clock }) =>
		clock.now < NOON_MS ? before : after;

/** Log-normal, with this mean. */
const noisy =
	(milliseconds: number, sigma: number): Duration =>
	({ random }) => {
		const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
		return milliseconds * Math.exp(sigma * normal - sigma ** 2 / 2);
	};

const exponential =
	(milliseconds: number): Duration =>
	({ random }) =>
		-milliseconds * Math.log(1 - random());

/** Two calls in a hundred take ten times as long. */
const withSpikes =
	(milliseconds: number): Duration =>
	({ random }) =>
		milliseconds * (random() < 0.02 ? 10 : 0.9 + 0.2 * random());

/** Serves so many calls at a time, while the others wait. */
const queue =
	(workers: Duration, duration: Duration) =>
	(world: World): Service => {
		const waiting: Array<() => void> = [];
		let busy = 0;
		const next = (): void => {
			while (busy < workers(world)) {
				const serve = waiting.shift();
				if (serve === undefined) return;
				busy += 1;
				serve();
			}
		};
		return (reply) => {
			waiting.push(() =>
				world.clock.after(duration(world), () => {
					busy -= 1;
					next();
					world.clock.after(NETWORK_MS, () => reply('answered'));
				}),
			);
			next();
		};
	};

/** Serves all calls at the same time. */
const unlimited = (duration: Duration) => queue(fixed(Infinity), duration);

/** Refuses calls beyond so many at a time. */
const atMost =
	(most: number, duration: Duration, retryAfterMs?: number) =>
	(world: World): Service => {
		let open = 0;
		return (reply) => {
			if (open >= most) {
				world.clock.after(NETWORK_MS, () => reply('refused', retryAfterMs));
				return;
			}
			open += 1;
			world.clock.after(duration(world), () => {
				open -= 1;
				reply('answered');
			});
		};
	};

/** Refuses calls beyond so many in a second, counted from full second to full second. */
const perSecond =
	(most: number, duration: Duration, retryAfterMs?: number) =>
	(world: World): Service => {
		const { clock } = world;
		let [second, count] = [0, 0];
		return (reply) => {
			const now = Math.floor(clock.now / 1000);
			count = now === second ? count + 1 : 1;
			second = now;
			if (count > most) clock.after(NETWORK_MS, () => reply('refused', retryAfterMs));
			else clock.after(duration(world), () => reply('answered'));
		};
	};

/** Slows down out of proportion with more calls than this at a time. */
const overloaded =
	(capacity: number, milliseconds: number) =>
	({ clock }: World): Service => {
		let open = 0;
		return (reply) => {
			open += 1;
			clock.after(milliseconds * Math.max(1, open / capacity) ** 1.3, () => {
				open -= 1;
				reply('answered');
			});
		};
	};

/** Loses one connection in a hundred. */
const lossy =
	(make: (world: World) => Service) =>
	(world: World): Service => {
		const service = make(world);
		return (reply) => {
			if (world.random() < 0.01) world.clock.after(30, () => reply('lost'));
			else service(reply);
		};
	};

/** Refuses some calls for no reason that has to do with their number. */
const refusing =
	(isRefused: (world: World, call: number) => boolean, make: (world: World) => Service) =>
	(world: World): Service => {
		const service = make(world);
		let calls = 0;
		return (reply) => {
			calls += 1;
			if (isRefused(world, calls)) world.clock.after(NETWORK_MS, () => reply('refused'));
			else service(reply);
		};
	};

const once = (number: number) => (_: World, call: number) => call === number;

const atRandom =
	(share: number) =>
	({ random }: World) =>
		random() < share;

/** The outage of the services that have one. */
export const OUTAGE = { from: 4000, to: 7000 };

const outage = ({ clock }: World): boolean => clock.now >= OUTAGE.from && clock.now < OUTAGE.to;

/** The first calls are those of a fast operation. */
const fastAtFirst = (make: (world: World) => Service) => (world: World) => {
	const [fast, slow] = [unlimited(fixed(5))(world), make(world)];
	let calls = 0;
	return (reply: Reply): void => ((calls += 1) <= 20 ? fast : slow)(reply);
};

/** The simulated services, by what they are. */
export const services: Readonly<Record<string, (world: World) => Service>> = {
	'50 ms, no limit': unlimited(fixed(50)),
	'500 ms, no limit': unlimited(fixed(500)),
	'1 worker': queue(fixed(1), fixed(50)),
	'10 workers': queue(fixed(10), fixed(50)),
	'40 workers': queue(fixed(40), fixed(50)),
	'5 at a time, then 429': atMost(5, fixed(50)),
	'20 at a time, then 429': atMost(20, noisy(50, 0.5)),
	'20 at a time, then 429 with Retry-After': atMost(20, fixed(50), 1000),
	'100 per second, then 429': perSecond(100, fixed(50)),
	'100 per second, then 429 with Retry-After': perSecond(100, fixed(50), 1000),
	'3 × slower at noon': unlimited(byNoon(50, 150)),
	'3 × slower at noon, 20 workers': queue(fixed(20), byNoon(50, 150)),
	'40 workers, 10 from noon': queue(byNoon(40, 10), fixed(50)),
	'10 workers, 40 from noon': queue(byNoon(10, 40), fixed(50)),
	noisy: unlimited(noisy(50, 0.5)),
	'noisy, 10 workers': queue(fixed(10), noisy(50, 0.5)),
	'exponential, 10 workers': queue(fixed(10), exponential(50)),
	'spikes, 10 workers': queue(fixed(10), withSpikes(50)),
	'overloaded from 15': overloaded(15, 50),
	'1 % of connections lost, 10 workers': lossy(queue(fixed(10), fixed(50))),
	'one 503 at the start': refusing(once(10), unlimited(fixed(50))),
	'one 503': refusing(once(1000), unlimited(fixed(50))),
	'one 503, 10 workers': refusing(once(1000), queue(fixed(10), fixed(50))),
	'0.1 % random 503s': refusing(atRandom(0.001), unlimited(fixed(50))),
	'0.1 % random 503s, 10 workers': refusing(atRandom(0.001), queue(fixed(10), fixed(50))),
	'0.3 % random 503s': refusing(atRandom(0.003), unlimited(fixed(50))),
	'0.3 % random 503s, 10 workers': refusing(atRandom(0.003), queue(fixed(10), fixed(50))),
	'20 fast answers, then 50 ms': fastAtFirst(unlimited(fixed(50))),
	'20 fast answers, then 500 ms': fastAtFirst(unlimited(fixed(500))),
};

/** Services that refuse all calls for 3 s, with the throughput of the best fixed number. */
export const outages: Readonly<
	Record<string, { readonly make: (world: World) => Service; readonly perSecond: number }>
> = {
	'50 ms, no limit': { make: refusing(outage, unlimited(fixed(50))), perSecond: 1280 },
	'500 ms, no limit': { make: refusing(outage, unlimited(fixed(500))), perSecond: 128 },
	'10 workers': { make: refusing(outage, queue(fixed(10), fixed(50))), perSecond: 200 },
	'20 at a time, then 429': { make: refusing(outage, atMost(20, fixed(50))), perSecond: 400 },
};
