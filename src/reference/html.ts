// The HTML of the reference's static pages.

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export const code = (text: string) => `<code>${escapeHtml(text)}</code>`;

export const block = (text: string) => `<pre><code>${escapeHtml(text)}</code></pre>`;

/** A whole page. `title` is plain text, `body` HTML. */
export const staticPage = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${escapeHtml(title)} – Tocsin</title>
<link rel="icon" href="data:," />
<link rel="stylesheet" href="/docs/rules.css" />
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
