// Generates the rule reference (/docs/rules) from the examples that the tests run. It is a static
// file and not part of the worker's bundle.
import { block, code, escapeHtml } from "./html.ts";
import { contentsOf, type DocsPage } from "./page.ts";
import {
  NOTIFICATION_EXAMPLES,
  type NotificationExample,
  ROUTER_EXAMPLES,
  type RouterExample,
} from "./rule-actions.ts";
import { CONDITION_EXAMPLES, type ConditionExample, type Subject } from "./rule-conditions.ts";
import type { SearchEntry } from "./search.ts";

/** `$timeBetween` → `timeBetween`: the HTML id of its section. */
const anchorOf = (word: string) => word.replace(/^\$/, "");

/** An example's subject, on one line. */
function subjectText({ alert, log, now }: Subject): string {
  const parts = [
    ...Object.entries(alert ?? {}).map(
      ([name, value]) => `alert.${name}: ${JSON.stringify(value)}`,
    ),
    ...Object.entries(log ?? {}).map(([name, value]) => `log.${name}: ${JSON.stringify(value)}`),
    ...(now === undefined ? [] : [`now: ${now}`]),
  ];
  return parts.length === 0 ? "an alert without that attribute" : parts.join(", ");
}

const listOf = (title: string, subjects: readonly Subject[]): string =>
  subjects.length === 0
    ? ""
    : `<dt>${title}</dt>${subjects.map((it) => `<dd>${code(subjectText(it))}</dd>`).join("")}`;

const condition = ({ of, about, match, matches, misses }: ConditionExample): string => `
<section id="${anchorOf(of[0] ?? "")}">
<h3>${of.map(code).join(", ")}</h3>
<p>${escapeHtml(about)}</p>
${block(match)}
<dl>${listOf("Matches", matches)}${listOf("Does not match", misses)}</dl>
</section>`;

function outcomeOf({ expected }: RouterExample): string {
  const { to, suppressed, alert, aggregatedFor } = expected;
  const changes = Object.entries(alert ?? {}).map(
    ([name, value]) => `${code(name)} becomes ${code(JSON.stringify(value))}`,
  );
  return [
    suppressed ? "Nobody is notified: the alert is suppressed" : `Goes to ${to.join(" and ")}`,
    ...changes,
    ...(aggregatedFor ? [`later alerts join it for ${aggregatedFor}`] : []),
  ].join("; ");
}

const router = (example: RouterExample, position: number): string => `
<section id="router-${example.of}${position}">
<h3>${code(example.of)}</h3>
<p>${escapeHtml(example.about)}</p>
${block(example.rules)}
<dl><dt>For</dt><dd>${code(subjectText(example.subject))}</dd>
<dt>Result</dt><dd>${outcomeOf(example)}.</dd></dl>
</section>`;

const notification = (example: NotificationExample, position: number): string => `
<section id="notification-${example.of}${position}">
<h3>${code(example.of)}</h3>
<p>${escapeHtml(example.about)}</p>
${block(example.rules)}
<dl><dt>For</dt><dd>${code(subjectText(example.subject))}</dd>
<dt>Result</dt><dd>${
  example.expected === null
    ? "The person is not notified."
    : example.expected
        .map(([minutes, ...channels]) => `after ${minutes} min: ${channels.join(" and ")}`)
        .join("; ")
}</dd></dl>
</section>`;

const DOCUMENT = `rules:
  - match: { alert.urgency: critical }   # a condition
    actions:                             # what happens, in order
      - { type: assign, receiver: tem_AAECAwQFBgcICQ }
  - match: { always: true }
    actions:
      - { type: ignore }
`;

const LEAD =
  "The language of routers, which decide where alerts go, and of notification rules, which decide how a person is notified.";

const PARTS = [
  ["conditions", "Conditions"],
  ["routers", "Router actions"],
  ["notifications", "Notification rule actions"],
  ["templates", "Templates"],
] as const;

const entryOf = (title: string, anchor: string, text: string): SearchEntry => ({
  ...{ title, page: "Rule reference", url: `/docs/rules#${anchor}`, text },
});

/** The page. */
export function rulesPage(): DocsPage {
  const words = CONDITION_EXAMPLES.flatMap(({ of }) => of.slice(0, 1));
  const body = `<p class="lead">${LEAD}</p>
${contentsOf(PARTS.map(([anchor, title]) => ({ anchor, title })))}
<p>A YAML or JSON document with a list of rules. Rules are read from the top, and the first rule whose condition matches
decides. A router without a matching rule uses its default receiver; a person without one is notified as their own
settings say.</p>
${block(DOCUMENT)}
<h2 id="conditions">Conditions</h2>
<p>A condition is a map of paths and operators, all of which must hold. Paths start with ${code("alert.")} (the alert:
title, description, urgency, tags, meta, source_id and the other attributes that the API shows), with
${code("log.data.")} (what the sender sent) or with ${code("log.headers.")} (the headers of its request, in any case).
Durations are written ${code("90s")}, ${code("5m")}, ${code("2h")} or ${code("1d")}.</p>
<p class="words">${words.map((word) => `<a href="#${anchorOf(word)}">${code(word)}</a>`).join(" ")}</p>
${CONDITION_EXAMPLES.map(condition).join("\n")}
<h2 id="routers">Router actions</h2>
<p>Actions run in order. ${code("assign")}, ${code("aggregate")} and ${code("ignore")} end the routing, so nothing may
follow them. Receivers are named by the id of a team, a person or another router.</p>
${ROUTER_EXAMPLES.map(router).join("\n")}
<h2 id="notifications">Notification rule actions</h2>
${NOTIFICATION_EXAMPLES.map(notification).join("\n")}
<h2 id="templates">Templates</h2>
<p>With ${code("handlebars: true")} the texts of ${code("setval")} and ${code("incident")} are templates:
${code("{{alert.title}}")}, ${code("{{log.data.host}}")}, ${code("{{integration.name}}")} (also
${code("integration.id")}, ${code("integration.prefix_id")}, ${code("integration.type")}), with
${code("{{#if path}}…{{else}}…{{/if}}")}, ${code("{{#unless path}}")} and ${code("{{#each path}}{{this}}{{/each}}")}.
A missing value renders as an empty string. The title and description templates of an integration are Mustache, with
${code("{{title}}")}, ${code("{{description}}")}, ${code("{{id}}")}, ${code("{{urgency}}")}, ${code("{{tags}}")},
${code("{{meta.key}}")}, ${code("{{data.path}}")}, ${code("{{params.name}}")} and the same ${code("{{integration.name}}")}.</p>`;
  return {
    path: "/docs/rules",
    title: "Rule reference",
    lead: LEAD,
    body,
    entries: [
      ...PARTS.map(([anchor, title]) => entryOf(title, anchor, "")),
      ...CONDITION_EXAMPLES.map(({ of, about }) =>
        entryOf(of.join(", "), anchorOf(of[0] ?? ""), about),
      ),
      ...ROUTER_EXAMPLES.map(({ of, about }, i) => entryOf(of, `router-${of}${i}`, about)),
      ...NOTIFICATION_EXAMPLES.map(({ of, about }, i) =>
        entryOf(of, `notification-${of}${i}`, about),
      ),
    ],
  };
}
