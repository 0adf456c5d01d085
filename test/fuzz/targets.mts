/** Every fuzz target, by name. */
import { descriptions } from './descriptions.mts';
import { restPages } from './rest-pages.mts';
import { soapAnswers } from './soap-answers.mts';
import type { Target } from './target.mts';

/** A target, and its share of the time. */
export interface Share {
	readonly target: Target;
	readonly share: number;
}

export const targets: Readonly<Record<string, Share>> = {
	'SOAP answers': { target: soapAnswers, share: 0.5 },
	descriptions: { target: descriptions, share: 0.3 },
	'REST pages': { target: restPages, share: 0.2 },
};
