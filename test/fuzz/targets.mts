/** Every fuzz target, by name. */
import { descriptions } from './descriptions.mts';
import { restPages } from './rest-pages.mts';
import { soapAnswers } from './soap-answers.mts';
import type { Target } from './target.mts';
import { faultTexts } from './fault-texts.mts';

/** A target, and its share of the time. */
export interface Share {
	readonly target: Target;
	readonly share: number;
}

export const targets: Readonly<Record<string, Share>> = {
	'SOAP answers': { target: soapAnswers, share: 0.4 },
	descriptions: { target: descriptions, share: 0.25 },
	'REST pages': { target: restPages, share: 0.2 },
	'fault texts': { target: faultTexts, share: 0.15 },
};
