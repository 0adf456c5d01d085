/** Fails if one of these secrets stands in what a run shows or stores. */
export function expectNoSecret(secrets: readonly string[], shown: unknown): void {
	const text = JSON.stringify(shown);
	for (const secret of secrets) expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
}
