// Where an absence calendar has its absences from: a URL, or the public holidays of a region.
import type { UpdateAbsenceCalendar } from "../../../contract/calendars/absence-calendar-parameters.ts";
import { findHolidayRegion } from "../../../db/oncall/holidays/holiday-files.ts";
import { allowedHosts, outboundUrlFault } from "../../../domain/integrations/outbound-url.ts";
import { unknownRegion } from "../../../domain/oncall/holidays/holiday-query.ts";
import type { FieldError, Refusal } from "../../../domain/shared/refusal.ts";
import { refuseFields } from "../../../domain/shared/refusal.ts";

type Body = Pick<UpdateAbsenceCalendar, "url" | "region">;

const givenText = (text: string | null | undefined): string | null => text?.trim() || null;

/** The source that the parameters give: one of both, or neither. */
const sourceOf = ({ url, region }: Body) => ({ url: givenText(url), region: givenText(region) });

/**
 * Errors of the source, apart from an unknown region.
 *
 * @param isRequired false for an update, which may leave the source as it is
 */
export function sourceFaults(env: Cloudflare.Env, body: Body, isRequired: boolean): FieldError[] {
  const { url, region } = sourceOf(body);
  if (url !== null && region !== null) {
    return [{ field: "region", message: "region cannot be given with a url" }];
  }
  if (url !== null) {
    const fault = outboundUrlFault(url, allowedHosts(env.ALLOWED_HOSTS));
    return fault === null ? [] : [{ field: "url", message: `url ${fault}` }];
  }
  const isCleared = body.url !== undefined || body.region !== undefined;
  return region === null && (isRequired || isCleared)
    ? [{ field: "url", message: "url can't be blank, unless a region is given" }]
    : [];
}

/** The columns of the source, which an update may leave as they are: null. */
export async function readSource(
  env: Cloudflare.Env,
  body: Body,
  isRequired: boolean,
): Promise<{ readonly url: string; readonly region: string | null } | null | Refusal> {
  const faults = sourceFaults(env, body, isRequired);
  if (faults.length > 0) return refuseFields(faults);
  const { url, region } = sourceOf(body);
  if (url !== null) return { url, region: null };
  if (region === null) return null;
  const found = await findHolidayRegion(env, region);
  return found === null ? unknownRegion("region") : { url: "", region: found.code };
}
