// Generates the reference of integration types (/docs/integrations) from their set-up, which the
// console and the API show, too.
import { integrationTypes } from "../products/registry.ts";
import { repeatedAnswers } from "../products/repeated-answers.ts";
import type { Sample, StoredSetUp } from "../products/set-up.ts";
import { storedSetUps } from "../products/stored-set-ups.ts";
import { block, code, escapeHtml, textOf } from "./html.ts";
import type { DocsPage } from "./page.ts";
import type { SearchEntry } from "./search.ts";

type Type = (typeof integrationTypes)[number];

const bodyOf = ({ body }: Sample) =>
  typeof body === "string" ? body : JSON.stringify(body, null, 2);

const sampleSection = (
  sample: Sample,
): string => `<details><summary>A request that creates an alert</summary>
${block(
  [
    `${sample.method ?? "POST"} <URL>${sample.query ?? ""}`,
    ...Object.entries(sample.headers).map(([name, value]) => `${name}: ${value}`),
    "",
    bodyOf(sample),
  ].join("\n"),
)}</details>`;

/** What becomes of a request that is refused for want of room. */
function repetition(type: Type): string {
  if (type.outgoing) return "";
  const answers = repeatedAnswers(type);
  return answers.length > 0
    ? `<p>The sender repeats what is answered ${answers.join(", ")}.</p>`
    : "<p>The sender repeats nothing that is refused.</p>";
}

/** How the sender sends its events to a standby as well. */
const standbySection = ({ standby }: StoredSetUp): string =>
  standby
    ? `<p>With a standby: ${escapeHtml(standby.step)}</p>
${(standby.snippets ?? []).map((it) => `<p>${escapeHtml(it.title)}, with a standby</p>${block(it.text)}`).join("\n")}`
    : "";

const typeSection = (type: Type, setUp: StoredSetUp): string => `
<section id="${type.name}">
<h3>${escapeHtml(type.title)} ${code(type.name)}</h3>
<p>${escapeHtml(type.description)}</p>
${repetition(type)}
<ol>${setUp.steps.map((step) => `<li>${escapeHtml(step)}</li>`).join("")}</ol>
${setUp.snippets.map((snippet) => `<p>${escapeHtml(snippet.title)}</p>${block(snippet.text)}`).join("\n")}
${standbySection(setUp)}
${setUp.sample ? sampleSection(setUp.sample) : ""}
</section>`;

const byTitle = integrationTypes.toSorted((one, other) =>
  one.title.localeCompare(other.title, "en"),
);

const group = (id: string, title: string, types: readonly Type[]): string => `
<h2 id="${id}">${title}</h2>
<p class="words">${types.map((type) => `<a href="#${type.name}">${code(type.title)}</a>`).join(" ")}</p>
${types.map((type) => typeSection(type, storedSetUps[type.name] ?? { steps: [], snippets: [] })).join("\n")}`;

const TITLE = "Integration set-up";

const entryOf = ({ name, title, description }: Type): SearchEntry => ({
  ...{ title, page: TITLE, url: `/docs/integrations#${name}` },
  text: `${name} ${description} ${(storedSetUps[name]?.steps ?? []).map(textOf).join(" ")}`,
});

const LEAD = "How to set up each sender, and each receiver of notifications.";

/** The page. */
export const integrationsPage = (): DocsPage => ({
  path: "/docs/integrations",
  title: TITLE,
  lead: LEAD,
  body: `<p class="lead">${LEAD}</p>
<p>${code("<URL>")} stands for the integration's URL, ${code("<ID>")} for its prefix_id, ${code("<KEY>")} for its intake key,
${code("<ORIGIN>")} for this service's address and ${code("<TOKEN>")} for the integration's token. A line or step with
${code("<TOKEN>")} is for integrations with a token; where a sender has no other place for it, the URL is
${code("<URL>?token=<TOKEN>")}. ${code("<STANDBY_URL>")} is the same URL at the host of <a href="/docs/standby">a standby</a>,
${code("<STANDBY_ORIGIN>")} that host. An integration's page in the console has the texts with its own values.</p>
${group(
  "incoming",
  "Senders",
  byTitle.filter(({ outgoing }) => !outgoing),
)}
${group(
  "outgoing",
  "Receivers",
  byTitle.filter(({ outgoing }) => outgoing),
)}`,
  entries: byTitle.map(entryOf),
});
