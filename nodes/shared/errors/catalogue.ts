/**
 * The catalogue of the texts of errors, from which docs/errors.md is made. The errors take no other
 * texts, which their types ensure.
 */
import { callTexts } from './callTexts';
import { valueTexts } from './valueTexts';

declare const TEMPLATE: unique symbol;

/** A text that consists of texts of the catalogue. */
export type Text = string;

/** A text of the catalogue with places `{name}` for values. Without any, it is complete. */
export type Template<N extends string = string> = string & { readonly [TEMPLATE]: N } & ([
		N,
	] extends [never]
		? Text
		: unknown);

/** The values to fill in. */
export type Filling<N extends string> = Readonly<Record<N, string | number>>;

/** What follows a template as an argument; nothing if there are no values to fill in. */
export type Values<N extends string> = [N] extends [never]
	? [values?: Filling<N>]
	: [values: Filling<N>];

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
	? Name | NamesIn<Rest>
	: never;

type Listed<T> = T extends string
	? Template<NamesIn<T>>
	: { readonly [K in keyof T]: K extends 'kinds' ? T[K] : Listed<T[K]> };

const sections = { ...callTexts, ...valueTexts };

/** The catalogue, by the sections of the page. */
export const texts = sections as unknown as Listed<typeof sections>;

/** Fills in the values of a text. */
export function fill<N extends string>(template: Template<N>, ...[values]: Values<N>): Text {
	const given: Readonly<Record<string, string | number>> = { ...values };
	return template.replace(/\{(\w+)\}/g, (_, name: string) => String(given[name])) as Text;
}

/** Joins those texts that are there. */
export function joined(...parts: ReadonlyArray<Text | undefined>): Text {
	return parts.filter(Boolean).join(' ') as Text;
}

/** An error with a text of the catalogue. */
export class ListedError<N extends string = string> extends Error {
	constructor(template: Template<N>, ...values: Values<N>) {
		super(fill(template, ...values));
	}
}
