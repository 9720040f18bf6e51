// Addresses of pages that are others now: links in messages that were sent before, and bookmarks.
import { type ConsolePage, idOf, page } from "../../page.ts";

const moved = (path: string, to: (id: string) => string): ConsolePage =>
  page(path, async (visit) => ({ kind: "goto", to: to(idOf(visit)) }));

/** The same record as an absence: only the prefix of its id differs. */
const toAbsence = (id: string) =>
  `/absences/${encodeURIComponent(id.replace(/^(cov|crq)_/, "abs_"))}`;

export const movedPages: readonly ConsolePage[] = [
  moved("/covers", () => "/absences"),
  moved("/covers/:id", toAbsence),
  moved("/cover_requests", () => "/absences"),
  moved("/cover_requests/:id", toAbsence),
  moved("/company_holidays", () => "/calendars#holidays"),
];
