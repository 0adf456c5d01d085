import { outcomes, type FailureKind } from './outcomes';

/** One case of an error: its title, and on the next line what the builder can do about it. */
export type Case<K extends readonly FailureKind[], T extends string> = {
	/** Decide what the error says about a write; several if that depends on the failure. */
	readonly kinds: K;
} & (T extends `${infer Title}\n${infer Advice}`
	? { readonly title: Title; readonly advice: Advice }
	: { readonly title: T });

/** Returns a function that makes a case of one of these kinds. */
export function either<const K extends readonly FailureKind[]>(...kinds: K) {
	return <const T extends string>(text: T): Case<K, T> => {
		const [title, advice] = text.split(/\n\s*/);
		return { kinds, title, advice } as unknown as Case<K, T>;
	};
}

/** Makes a case of an error that is not about a call. */
export const plain = either();

/** Makes a case of an error of one kind. */
export const of = Object.fromEntries(
	Object.keys(outcomes).map((kind) => [kind, either(kind as FailureKind)]),
) as unknown as { readonly [K in FailureKind]: ReturnType<typeof either<readonly [K]>> };
