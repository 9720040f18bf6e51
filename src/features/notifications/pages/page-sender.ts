// Finds the object that sent a page, which waits for the page's confirmation.
import { PREFIXES } from "../../../domain/shared/identifiers.ts";
import type { AlertStub } from "../../rpc.ts";
import {
  absenceObject,
  alertObject,
  broadcastObject,
  calendarImportObject,
  personObject,
  scheduleObject,
  teamObject,
} from "../../stubs.ts";

/** The sender of a page by its `prefix_id`: the object of a record of one of these kinds. */
export function pageSender(env: Cloudflare.Env, prefixId: string): Pick<AlertStub, "confirm"> {
  if (prefixId.startsWith(`${PREFIXES.team}_`)) return teamObject(env, prefixId);
  if (prefixId.startsWith(`${PREFIXES.schedule}_`)) return scheduleObject(env, prefixId);
  if (prefixId.startsWith(`${PREFIXES.account_user}_`)) return personObject(env, prefixId);
  if (prefixId.startsWith(`${PREFIXES.broadcast}_`)) return broadcastObject(env, prefixId);
  if (prefixId.startsWith(`${PREFIXES.calendar_import}_`)) {
    return calendarImportObject(env, prefixId);
  }
  // Pages that the version before has queued are of requests for cover.
  const isOfAbsence = [PREFIXES.absence, "crq"].some((it) => prefixId.startsWith(`${it}_`));
  if (isOfAbsence) return absenceObject(env, prefixId);
  return alertObject(env, prefixId);
}
