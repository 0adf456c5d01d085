/** The pages a user sees in the browser's pop-up: login, consent, error. */

import { escapeAttribute as escapeHtml } from './xml.mts';

function page(title: string, content: string): string {
	return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Payroll sandbox</title>
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
