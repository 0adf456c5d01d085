/** Walks through the authorization pages over plain HTTP, as a user in a browser would. */
import { CookieJar } from '../cookies.mts';

/** Maximum number of pages and redirects; more than that is a loop. */
const maxSteps = 12;

/**
 * Signs in and consents. Takes the authorization URL of docs/dev/interface.md, section 4.1 and the
 * user's name and password. Returns the redirect address with `code`, `scope` and `state`, without
 * calling it. Throws the page's message if the sign-in is refused.
 */
export async function authorize(
	authorizationUrl: string | URL,
	{ user, password }: { user: string; password: string },
): Promise<URL> {
	const start = new URL(authorizationUrl);
	const redirectUri = new URL(start.searchParams.get('redirect_uri') ?? '');
	const cookies = new CookieJar();
	let url = start;
	let form: URLSearchParams | undefined;
	let signedIn = false;
	for (let step = 0; step < maxSteps; step += 1) {
		const response = await cookies.fetch(url, {
			method: form ? 'POST' : 'GET',
			headers: { Accept: 'text/html' },
			...(form && { body: form }),
		});
		const location = response.headers.get('location');
		if (location !== null) {
			await response.body?.cancel();
			url = new URL(location, url);
			form = undefined;
			if (url.origin === redirectUri.origin && url.pathname === redirectUri.pathname) return url;
			continue;
		}
		const page = await response.text();
		const alert = /role="alert">([^]*?)<\/p>/.exec(page)?.[1];
		if (alert !== undefined) throw new Error(plain(alert));
		if (!page.includes('<form'))
			throw new Error(`No form on ${url.pathname}: HTTP ${response.status}`);
		const isLogin = page.includes('name="password"');
		if (isLogin && signedIn) throw new Error('The sign-in page came back');
		signedIn ||= isLogin;
		form = isLogin
			? new URLSearchParams({ user, password, action: 'login' })
			: new URLSearchParams({ action: 'allow' });
	}
	throw new Error('The authorization pages go in circles');
}

function plain(markup: string): string {
	return markup.replace(/<[^>]*>/g, '').trim();
}
