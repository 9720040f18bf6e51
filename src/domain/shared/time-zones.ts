/**
 * The time zones an event may name: the specification's 151 names in its order, each with its IANA
 * zone. The order is part of the API and is never computed.
 */

const ZONES: readonly (readonly [name: string, iana: string])[] = [
  ["International Date Line West", "Etc/GMT+12"],
  ["American Samoa", "Pacific/Pago_Pago"],
  ["Midway Island", "Pacific/Midway"],
  ["Hawaii", "Pacific/Honolulu"],
  ["Alaska", "America/Juneau"],
  ["Pacific Time (US & Canada)", "America/Los_Angeles"],
  ["Tijuana", "America/Tijuana"],
  ["Arizona", "America/Phoenix"],
  ["Chihuahua", "America/Chihuahua"],
  ["Mazatlán", "America/Mazatlan"],
  ["Mountain Time (US & Canada)", "America/Denver"],
  ["Central America", "America/Guatemala"],
  ["Central Time (US & Canada)", "America/Chicago"],
  ["Guadalajara", "America/Mexico_City"],
  ["Mexico City", "America/Mexico_City"],
  ["Monterrey", "America/Monterrey"],
  ["Saskatchewan", "America/Regina"],
  ["Bogota", "America/Bogota"],
  ["Eastern Time (US & Canada)", "America/New_York"],
  ["Indiana (East)", "America/Indiana/Indianapolis"],
  ["Lima", "America/Lima"],
  ["Quito", "America/Lima"],
  ["Atlantic Time (Canada)", "America/Halifax"],
  ["Caracas", "America/Caracas"],
  ["Georgetown", "America/Guyana"],
  ["La Paz", "America/La_Paz"],
  ["Puerto Rico", "America/Puerto_Rico"],
  ["Santiago", "America/Santiago"],
  ["Newfoundland", "America/St_Johns"],
  ["Brasilia", "America/Sao_Paulo"],
  ["Buenos Aires", "America/Argentina/Buenos_Aires"],
  ["Greenland", "America/Nuuk"],
  ["Montevideo", "America/Montevideo"],
  ["Mid-Atlantic", "Atlantic/South_Georgia"],
  ["Azores", "Atlantic/Azores"],
  ["Cape Verde Is.", "Atlantic/Cape_Verde"],
  ["Edinburgh", "Europe/London"],
  ["Lisbon", "Europe/Lisbon"],
  ["London", "Europe/London"],
  ["Monrovia", "Africa/Monrovia"],
  ["UTC", "Etc/UTC"],
  ["Amsterdam", "Europe/Amsterdam"],
  ["Belgrade", "Europe/Belgrade"],
  ["Berlin", "Europe/Berlin"],
  ["Bern", "Europe/Zurich"],
  ["Bratislava", "Europe/Bratislava"],
  ["Brussels", "Europe/Brussels"],
  ["Budapest", "Europe/Budapest"],
  ["Casablanca", "Africa/Casablanca"],
  ["Copenhagen", "Europe/Copenhagen"],
  ["Dublin", "Europe/Dublin"],
  ["Ljubljana", "Europe/Ljubljana"],
  ["Madrid", "Europe/Madrid"],
  ["Paris", "Europe/Paris"],
  ["Prague", "Europe/Prague"],
  ["Rome", "Europe/Rome"],
  ["Sarajevo", "Europe/Sarajevo"],
  ["Skopje", "Europe/Skopje"],
  ["Stockholm", "Europe/Stockholm"],
  ["Vienna", "Europe/Vienna"],
  ["Warsaw", "Europe/Warsaw"],
  ["West Central Africa", "Africa/Algiers"],
  ["Zagreb", "Europe/Zagreb"],
  ["Zurich", "Europe/Zurich"],
  ["Athens", "Europe/Athens"],
  ["Bucharest", "Europe/Bucharest"],
  ["Cairo", "Africa/Cairo"],
  ["Harare", "Africa/Harare"],
  ["Helsinki", "Europe/Helsinki"],
  ["Jerusalem", "Asia/Jerusalem"],
  ["Kaliningrad", "Europe/Kaliningrad"],
  ["Kyiv", "Europe/Kiev"],
  ["Pretoria", "Africa/Johannesburg"],
  ["Riga", "Europe/Riga"],
  ["Sofia", "Europe/Sofia"],
  ["Tallinn", "Europe/Tallinn"],
  ["Vilnius", "Europe/Vilnius"],
  ["Baghdad", "Asia/Baghdad"],
  ["Istanbul", "Europe/Istanbul"],
  ["Kuwait", "Asia/Kuwait"],
  ["Minsk", "Europe/Minsk"],
  ["Moscow", "Europe/Moscow"],
  ["Nairobi", "Africa/Nairobi"],
  ["Riyadh", "Asia/Riyadh"],
  ["St. Petersburg", "Europe/Moscow"],
  ["Volgograd", "Europe/Volgograd"],
  ["Tehran", "Asia/Tehran"],
  ["Abu Dhabi", "Asia/Muscat"],
  ["Baku", "Asia/Baku"],
  ["Muscat", "Asia/Muscat"],
  ["Samara", "Europe/Samara"],
  ["Tbilisi", "Asia/Tbilisi"],
  ["Yerevan", "Asia/Yerevan"],
  ["Kabul", "Asia/Kabul"],
  ["Ekaterinburg", "Asia/Yekaterinburg"],
  ["Islamabad", "Asia/Karachi"],
  ["Karachi", "Asia/Karachi"],
  ["Tashkent", "Asia/Tashkent"],
  ["Chennai", "Asia/Kolkata"],
  ["Kolkata", "Asia/Kolkata"],
  ["Mumbai", "Asia/Kolkata"],
  ["New Delhi", "Asia/Kolkata"],
  ["Sri Jayawardenepura", "Asia/Colombo"],
  ["Kathmandu", "Asia/Kathmandu"],
  ["Almaty", "Asia/Almaty"],
  ["Astana", "Asia/Almaty"],
  ["Dhaka", "Asia/Dhaka"],
  ["Urumqi", "Asia/Urumqi"],
  ["Rangoon", "Asia/Rangoon"],
  ["Bangkok", "Asia/Bangkok"],
  ["Hanoi", "Asia/Bangkok"],
  ["Jakarta", "Asia/Jakarta"],
  ["Krasnoyarsk", "Asia/Krasnoyarsk"],
  ["Novosibirsk", "Asia/Novosibirsk"],
  ["Beijing", "Asia/Shanghai"],
  ["Chongqing", "Asia/Chongqing"],
  ["Hong Kong", "Asia/Hong_Kong"],
  ["Irkutsk", "Asia/Irkutsk"],
  ["Kuala Lumpur", "Asia/Kuala_Lumpur"],
  ["Perth", "Australia/Perth"],
  ["Singapore", "Asia/Singapore"],
  ["Taipei", "Asia/Taipei"],
  ["Ulaanbaatar", "Asia/Ulaanbaatar"],
  ["Osaka", "Asia/Tokyo"],
  ["Sapporo", "Asia/Tokyo"],
  ["Seoul", "Asia/Seoul"],
  ["Tokyo", "Asia/Tokyo"],
  ["Yakutsk", "Asia/Yakutsk"],
  ["Adelaide", "Australia/Adelaide"],
  ["Darwin", "Australia/Darwin"],
  ["Brisbane", "Australia/Brisbane"],
  ["Canberra", "Australia/Canberra"],
  ["Guam", "Pacific/Guam"],
  ["Hobart", "Australia/Hobart"],
  ["Melbourne", "Australia/Melbourne"],
  ["Port Moresby", "Pacific/Port_Moresby"],
  ["Sydney", "Australia/Sydney"],
  ["Vladivostok", "Asia/Vladivostok"],
  ["Magadan", "Asia/Magadan"],
  ["New Caledonia", "Pacific/Noumea"],
  ["Solomon Is.", "Pacific/Guadalcanal"],
  ["Srednekolymsk", "Asia/Srednekolymsk"],
  ["Auckland", "Pacific/Auckland"],
  ["Fiji", "Pacific/Fiji"],
  ["Kamchatka", "Asia/Kamchatka"],
  ["Marshall Is.", "Pacific/Majuro"],
  ["Wellington", "Pacific/Auckland"],
  ["Chatham Is.", "Pacific/Chatham"],
  ["Nuku'alofa", "Pacific/Tongatapu"],
  ["Samoa", "Pacific/Apia"],
  ["Tokelau Is.", "Pacific/Fakaofo"],
];

/**
 * The names as `GET /events/time_zones` lists them (contract 4, Attributes: values of
 * `time_zone`).
 */
export const TIME_ZONE_NAMES: readonly string[] = ZONES.map(([name]) => name);

/** Spellings that are accepted but not listed. */
const OTHER_SPELLINGS: readonly (readonly [string, string])[] = [["Mazatlan", "Mazatlán"]];

const IANA_BY_NAME: ReadonlyMap<string, string> = new Map(ZONES);
const LISTED_BY_SPELLING: ReadonlyMap<string, string> = new Map([
  ...TIME_ZONE_NAMES.map((name) => [name, name] as const),
  ...OTHER_SPELLINGS,
]);

/** The listed name for `text` (`Mazatlan` is `Mazatlán`); null if there is none. */
export function listedTimeZone(text: string): string | null {
  return LISTED_BY_SPELLING.get(text.normalize("NFC")) ?? null;
}

/** The IANA zone of a listed name; other text unchanged. */
export function ianaZone(name: string): string {
  return IANA_BY_NAME.get(listedTimeZone(name) ?? name) ?? name;
}

/** The listed name of an IANA zone: its own, or that of another listed zone; else UTC. */
export const listedZoneOf = (zone: string): string =>
  listedTimeZone(zone) ??
  TIME_ZONE_NAMES.find((name) => ianaZone(name) === ianaZone(zone)) ??
  "UTC";

/** Zones that were asked for, as they were spelled: each request of a person asks for theirs, and a format is dear. */
const known = new Set<string>();
const MAX_KNOWN = 1_000;

/** Whether `name` is a listed or IANA name (for a person's `time_zone`); offsets are neither. */
export function isKnownZone(name: string): boolean {
  const iana = ianaZone(name);
  if (known.has(iana)) return true;
  if (!/^[A-Za-z]/.test(iana)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: iana });
    if (known.size < MAX_KNOWN) known.add(iana);
    return true;
  } catch {
    return false;
  }
}
