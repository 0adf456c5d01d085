/** The pages a user sees in the browser's pop-up: login, consent, error. */

const style = `
	:root { color-scheme: light dark; }
	body { font: 16px/1.5 system-ui, sans-serif; margin: 0; display: grid; min-height: 100vh;
		place-items: center; background: Canvas; color: CanvasText; }
	main { width: min(22rem, calc(100vw - 3rem)); padding: 1.5rem 0; }
	h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .5rem; }
	p, ul { margin: 0 0 1rem; }
	ul { padding-left: 1.2rem; }
	label { display: block; font-weight: 600; }
	input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem .6rem;
		margin: .2rem 0 1rem; border: 1px solid #777; border-radius: 6px; }
	button { font: inherit; padding: .55rem 1.1rem; border-radius: 6px; border: 1px solid #0b5c56;
		background: #0b5c56; color: #fff; cursor: pointer; margin-right: .5rem; }
	button.quiet { background: transparent; color: inherit; border-color: #777; }
	:focus-visible { outline: 3px solid #2d9cdb; outline-offset: 2px; }
	[role=alert] { border-left: 4px solid #c0392b; padding: .4rem .75rem; }`;

/** Escapes a text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
	const entities: Record<string, string> = {
		'&': '&amp;',
		'<': '&lt;',
		'>': '&gt;',
		'"': '&quot;',
	};
	return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

function page(title: string, content: string): string {
	return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Payroll sandbox</title>
<style>${style}
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`;
}

/** The login form; `refused` after a wrong user name or password. */
export function loginPage({ user, refused }: { user: string; refused: boolean }): string {
	const alert = '<p role="alert">The user name or password is not correct.</p>\n';
	return page(
		'Sign in to Payroll',
		`${refused ? alert : ''}<form method="post">
<label for="user">User name</label>
<input id="user" name="user" value="${escapeHtml(user)}" autocomplete="username" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button name="action" value="login">Sign in</button>
</form>`,
	);
}

/** The consent form, naming who asks for what on whose behalf. */
export function consentPage(of: { client: string; user: string; scopes: string[] }): string {
	const asked = of.scopes.map((scope) => `<li><code>${escapeHtml(scope)}</code></li>`).join('\n');
	return page(
		`Allow ${of.client} to use your payroll data?`,
		`<p>You are signed in as <strong>${escapeHtml(of.user)}</strong>.
${escapeHtml(of.client)} asks for:</p>
<ul>
${asked}
</ul>
<form method="post">
<button name="action" value="allow" autofocus>Allow</button>
<button name="action" value="cancel" class="quiet">Cancel</button>
</form>`,
	);
}

/** An error that cannot be sent back to the client. */
export function errorPage(error: Record<string, string>): string {
	const { error: code = 'error', error_description: description = '' } = error;
	return page(
		'This sign-in cannot go on',
		`<p role="alert">${escapeHtml(description)} (<code>${escapeHtml(code)}</code>)</p>
<p>Close this window and connect again.</p>`,
	);
}
