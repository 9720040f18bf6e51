// Addresses of pages that are others now: links in messages that were sent before, and bookmarks.
import { type ConsolePage, idOf, page } from "./page.ts";

/** Former paths, and where they are now; `:id` is the same record. */
export const FORMER_ADDRESSES: Readonly<Record<string, string>> = {
  "/covers": "/absences",
  "/covers/:id": "/absences/:id",
  "/cover_requests": "/absences",
  "/cover_requests/:id": "/absences/:id",
  "/absences/new": "/absences?add=1",
  "/on-call/mine": "/absences",
  "/broadcasts/new": "/broadcasts?add=1",
  "/drills": "/readiness?view=drills",
  "/drills/:id": "/readiness?view=drills&drill=:id",
  "/events/:id/edit": "/events/:id?change=edit",
  "/events/:id/move": "/events/:id?change=move",
  "/events/:id/override": "/events/:id?change=override",
  "/escalation_policies": "/on-call#shared",
  "/maintenance_windows": "/calendars?view=windows",
  "/reports/hours": "/reports?view=hours",
  "/people/import": "/people#invite",
  "/settings/addresses/new": "/settings#addresses",
  "/set-up": "/settings",
  "/schedules": "/on-call#shared",
  "/schedules/:id/history": "/schedules/:id?view=history",
  "/teams": "/on-call?scope=all",
  "/company_holidays": "/calendars#holidays",
};

/** A cover or a request is the same record as an absence: only the prefix of its id differs. */
const toAbsence = (id: string) => id.replace(/^(cov|crq)_/, "abs_");

/** The address with the record, and with what the former one asked for. */
function addressNow(to: string, id: string, query: URLSearchParams): string {
  const url = new URL(to.replace(":id", encodeURIComponent(toAbsence(id))), "http://console");
  for (const [name, value] of query) url.searchParams.append(name, value);
  return `${url.pathname}${url.search}${url.hash}`;
}

export const formerAddresses: readonly ConsolePage[] = Object.entries(FORMER_ADDRESSES).map(
  ([path, to]) =>
    page(path, async (visit) => ({ kind: "goto", to: addressNow(to, idOf(visit), visit.query) })),
);
