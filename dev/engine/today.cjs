/**
 * `new Date()` is a day of the year that the samples are about: the nodes refuse a write for a year that is far from
 * now. `Date.now()`, which tells when tokens expire, is not changed.
 */
const today = '2026-06-15T12:00:00Z';

Date.prototype.constructor = globalThis.Date = new Proxy(Date, {
	construct: (target, values, derived) =>
		Reflect.construct(target, values.length === 0 ? [today] : values, derived),
});
