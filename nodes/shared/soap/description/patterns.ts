import { LETTERS } from '../../contract/xmlRules';

/** A pattern that is longer is left to the service. */
const MAX_PATTERN = 500;

/** A text that is longer is left to the service. */
const MAX_TEXT = 200;

/** Most ways in which a text may be tried to match, in vain: a fraction of a second. */
const MAX_WAYS = 10_000_000;

const NAME_START = `:${LETTERS}`;
const NAME = `${NAME_START}0-9.\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}-`;
const NOT_WORD = '\\p{P}\\p{Z}\\p{C}';

/** Classes of several characters: the content of a class, and whether it is the complement. */
const CLASSES: Readonly<Record<string, readonly [content: string, isComplement: boolean]>> = {
	s: [' \\t\\n\\r', false],
	S: [' \\t\\n\\r', true],
	i: [NAME_START, false],
	I: [NAME_START, true],
	c: [NAME, false],
	C: [NAME, true],
	d: ['\\p{Nd}', false],
	D: ['\\p{Nd}', true],
	w: [NOT_WORD, true],
	W: [NOT_WORD, false],
};

/** A part of a pattern: its translation, and in how many ways it can match a text at most. */
interface Part {
	readonly source: string;
	readonly ways: number;
}

/** Translates one pattern. Whatever it does not know, it leaves to the constructor of RegExp. */
class Translation {
	#at = 0;

	constructor(private readonly pattern: string) {}

	whole(): Part {
		const all = this.#alternatives();
		if (this.#at < this.pattern.length) throw new SyntaxError('Unbalanced parenthesis');
		return all;
	}

	/** Whether the next characters are these; if so, goes on behind them. */
	#takes(text: string): boolean {
		const isNext = this.pattern.startsWith(text, this.#at);
		if (isNext) this.#at += text.length;
		return isNext;
	}

	#next(): string {
		const point = this.pattern.codePointAt(this.#at);
		if (point === undefined) throw new SyntaxError('The pattern ends too early');
		const character = String.fromCodePoint(point);
		this.#at += character.length;
		return character;
	}

	#alternatives(): Part {
		const branches = [this.#branch()];
		while (this.#takes('|')) branches.push(this.#branch());
		return {
			source: branches.map(({ source }) => source).join('|'),
			ways: branches.reduce((sum, { ways }) => sum + ways, 0),
		};
	}

	#branch(): Part {
		let source = '';
		let ways = 1;
		while (this.#at < this.pattern.length && !/[|)]/.test(this.pattern.charAt(this.#at))) {
			const atom = this.#atom();
			const quantified = this.#quantified(atom);
			source += quantified.source;
			ways *= quantified.ways;
		}
		return { source, ways };
	}

	#quantified(atom: Part): Part {
		const [quantifier, low, comma, high] =
			/^(?:[?*+]|\{(\d+)(,?)(\d*)\})/.exec(this.pattern.slice(this.#at)) ?? [];
		if (quantifier === undefined) return atom;
		this.#at += quantifier.length;
		const min = low === undefined ? Number(quantifier === '+') : Number(low);
		const unbounded = quantifier === '?' ? 1 : MAX_TEXT;
		const max = Math.max(min, high ? Number(high) : comma === '' ? min : unbounded);
		if (min > MAX_TEXT) throw new SyntaxError('No text is long enough');
		return {
			source: atom.source + quantifier,
			ways: (Math.min(max, MAX_TEXT) - min + 1) * atom.ways ** Math.min(max, MAX_TEXT),
		};
	}

	#atom(): Part {
		if (this.#takes('(')) {
			const { source, ways } = this.#alternatives();
			if (!this.#takes(')')) throw new SyntaxError('Unbalanced parenthesis');
			return { source: `(?:${source})`, ways };
		}
		if (this.#takes('[')) return { source: this.#characterClass(), ways: 1 };
		if (this.#takes('.')) return { source: '[^\\n\\r]', ways: 1 };
		const character = this.#next();
		if (/[?*+{}\]]/.test(character)) throw new SyntaxError(`"${character}" is out of place`);
		const [content, isComplement] = this.#meaning(character);
		return { source: `[${isComplement ? '^' : ''}${content}]`, ways: 1 };
	}

	/** What a character or an escape stands for, as the content of a class. */
	#meaning(character: string): readonly [content: string, isComplement: boolean] {
		if (character !== '\\') return [escaped(character), false];
		const name = this.#next();
		const known = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
		if (known !== undefined) return known;
		if (/[nrt]/.test(name)) return [`\\${name}`, false];
		if (!/[pP]/.test(name)) return [escaped(name), false];
		const [property] = /^\{[A-Z][a-z]?\}/.exec(this.pattern.slice(this.#at)) ?? [];
		if (property === undefined) throw new SyntaxError('A block of Unicode is not supported');
		this.#at += property.length;
		return [`\\${name}${property}`, false];
	}

	/** A class, whose "[" is read. */
	#characterClass(): string {
		const isNegated = this.#takes('^');
		const complements: string[] = [];
		let content = '';
		let without = '';
		while (!this.#takes(']')) {
			if (this.#takes('-[')) {
				without = `(?!${this.#characterClass()})`;
				continue;
			}
			const character = this.#next();
			// A hyphen between two characters makes them a range.
			const isRange = character === '-' && content !== '' && this.pattern[this.#at] !== ']';
			const [part, isComplement] = isRange ? ['-', false] : this.#meaning(character);
			if (isComplement) complements.push(`[^${part}]`);
			else content += part;
		}
		if (content === '' && complements.length === 0) throw new SyntaxError('An empty class');
		if (without === '' && complements.length === 0) return `[${isNegated ? '^' : ''}${content}]`;
		const any = [...(content === '' ? [] : [`[${content}]`]), ...complements].join('|');
		return `(?:${without}${isNegated ? `(?!${any})[^]` : `(?:${any})`})`;
	}
}

function escaped(character: string): string {
	return /[\^$\\.*+?()[\]{}|/-]/.test(character) ? `\\${character}` : character;
}

/**
 * Translates the alternative patterns of a simple type (XML Schema part 2, appendix F) into one
 * expression that matches a whole text. A text of more than 200 characters always matches, so that
 * no pattern takes long.
 *
 * @returns `undefined` if a pattern is too long, cannot be translated, or may take long to match
 */
export function translatePatterns(patterns: readonly string[]): RegExp | undefined {
	try {
		const parts = patterns.map((pattern) => {
			if (pattern.length > MAX_PATTERN) throw new SyntaxError('Too long');
			return new Translation(pattern).whole();
		});
		if (parts.reduce((sum, { ways }) => sum + ways, 0) > MAX_WAYS) return undefined;
		const source = parts.map((part) => part.source).join('|');
		const expression = new RegExp(`^(?:[^]{${MAX_TEXT + 1},}|(?:${source}))$`, 'u');
		// Compiles it: an expression that is too large fails only now.
		expression.test('');
		return expression;
	} catch {
		return undefined;
	}
}
