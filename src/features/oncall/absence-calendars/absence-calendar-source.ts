// Where an absence calendar has its absences from: a URL, or holidays: the public ones of a region,
// the company's, or both.
import { allowedHosts, outboundUrlFault } from "../../../domain/integrations/outbound-url.ts";
import { unknownRegion } from "../../../domain/oncall/holidays/holiday-query.ts";
import type { FieldError, Refusal } from "../../../domain/shared/refusal.ts";
import { refuseFields } from "../../../domain/shared/refusal.ts";
import { findHolidayRegion } from "../holidays/holiday-files.ts";
import type { UpdateAbsenceCalendar } from "./parameters.ts";

type Body = Pick<UpdateAbsenceCalendar, "url" | "region" | "company_holidays">;

export type AbsenceSource = {
  /** Empty for holidays. */
  readonly url: string;
  readonly region: string | null;
  readonly companyHolidays: boolean;
};

/** The source of a calendar that has none yet. */
export const NO_SOURCE: AbsenceSource = { url: "", region: null, companyHolidays: false };

const givenText = (text: string | null | undefined): string | null => text?.trim() || null;

/** The source after the parameters are applied: a URL replaces holidays and vice versa. */
function sourceAfter(stored: AbsenceSource, body: Body): AbsenceSource {
  const url = givenText(body.url);
  if (url !== null) return { ...NO_SOURCE, url };
  const region = body.region === undefined ? stored.region : givenText(body.region);
  const companyHolidays = body.company_holidays ?? stored.companyHolidays;
  const hasHolidays = region !== null || companyHolidays;
  return { url: hasHolidays || body.url !== undefined ? "" : stored.url, region, companyHolidays };
}

/**
 * Errors of the source, apart from an unknown region.
 *
 * @param stored the calendar's source; null: not known, any
 */
export function sourceFaults(
  env: Cloudflare.Env,
  body: Body,
  stored: AbsenceSource | null,
): FieldError[] {
  const url = givenText(body.url);
  const holidays = givenText(body.region) === null ? "company_holidays" : "region";
  if (url !== null && (holidays === "region" || body.company_holidays)) {
    return [{ field: holidays, message: `${holidays} cannot be given with a url` }];
  }
  if (url !== null) {
    const fault = outboundUrlFault(url, allowedHosts(env.ALLOWED_HOSTS));
    return fault === null ? [] : [{ field: "url", message: `url ${fault}` }];
  }
  if (stored === null) return [];
  const { url: own, region, companyHolidays } = sourceAfter(stored, body);
  const message = "url can't be blank, unless a region or company_holidays is given";
  return own === "" && region === null && !companyHolidays ? [{ field: "url", message }] : [];
}

/** Whether the parameters say anything of the source. */
export const givesSource = (body: Body): boolean =>
  [body.url, body.region, body.company_holidays].some((value) => value !== undefined);

/** The source after the parameters are applied, or a refusal. */
export async function readSource(
  env: Cloudflare.Env,
  body: Body,
  stored: AbsenceSource,
): Promise<AbsenceSource | Refusal> {
  const faults = sourceFaults(env, body, stored);
  if (faults.length > 0) return refuseFields(faults);
  const source = sourceAfter(stored, body);
  if (source.region === null || source.region === stored.region) return source;
  const found = await findHolidayRegion(env, source.region);
  return found === null ? unknownRegion("region") : { ...source, region: found.code };
}
