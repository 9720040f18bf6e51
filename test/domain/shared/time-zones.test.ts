import { Temporal } from "@js-temporal/polyfill";
import { describe, expect, it } from "vitest";
import {
  ianaZone,
  isKnownZone,
  listedTimeZone,
  TIME_ZONE_NAMES,
} from "../../../src/domain/shared/time-zones.ts";

// The names of contract 4, Attributes, in their order.
const SPECIFIED = `
  International Date Line West, American Samoa, Midway Island, Hawaii, Alaska,
  Pacific Time (US & Canada), Tijuana, Arizona, Chihuahua, Mazatlán,
  Mountain Time (US & Canada), Central America, Central Time (US & Canada), Guadalajara,
  Mexico City, Monterrey, Saskatchewan, Bogota, Eastern Time (US & Canada), Indiana (East),
  Lima, Quito, Atlantic Time (Canada), Caracas, Georgetown, La Paz, Puerto Rico, Santiago,
  Newfoundland, Brasilia, Buenos Aires, Greenland, Montevideo, Mid-Atlantic, Azores,
  Cape Verde Is., Edinburgh, Lisbon, London, Monrovia, UTC, Amsterdam, Belgrade, Berlin,
  Bern, Bratislava, Brussels, Budapest, Casablanca, Copenhagen, Dublin, Ljubljana, Madrid,
  Paris, Prague, Rome, Sarajevo, Skopje, Stockholm, Vienna, Warsaw, West Central Africa,
  Zagreb, Zurich, Athens, Bucharest, Cairo, Harare, Helsinki, Jerusalem, Kaliningrad, Kyiv,
  Pretoria, Riga, Sofia, Tallinn, Vilnius, Baghdad, Istanbul, Kuwait, Minsk, Moscow, Nairobi,
  Riyadh, St. Petersburg, Volgograd, Tehran, Abu Dhabi, Baku, Muscat, Samara, Tbilisi,
  Yerevan, Kabul, Ekaterinburg, Islamabad, Karachi, Tashkent, Chennai, Kolkata, Mumbai,
  New Delhi, Sri Jayawardenepura, Kathmandu, Almaty, Astana, Dhaka, Urumqi, Rangoon, Bangkok,
  Hanoi, Jakarta, Krasnoyarsk, Novosibirsk, Beijing, Chongqing, Hong Kong, Irkutsk,
  Kuala Lumpur, Perth, Singapore, Taipei, Ulaanbaatar, Osaka, Sapporo, Seoul, Tokyo, Yakutsk,
  Adelaide, Darwin, Brisbane, Canberra, Guam, Hobart, Melbourne, Port Moresby, Sydney,
  Vladivostok, Magadan, New Caledonia, Solomon Is., Srednekolymsk, Auckland, Fiji, Kamchatka,
  Marshall Is., Wellington, Chatham Is., Nuku'alofa, Samoa, Tokelau Is.
`;

describe("the listed time zones", () => {
  it("are the 151 names of the contract, in its order", () => {
    expect(TIME_ZONE_NAMES).toEqual(SPECIFIED.trim().split(/,\s+/));
    expect(TIME_ZONE_NAMES).toHaveLength(151);
  });

  it("all map to a zone that the runtime knows", () => {
    const unknown = TIME_ZONE_NAMES.filter((name) => !isKnownZone(name));
    expect(unknown).toEqual([]);
  });

  // Offsets in January, as the names imply: they detect a wrong zone in the table.
  it.each([
    ["International Date Line West", "-12:00"],
    ["American Samoa", "-11:00"],
    ["Hawaii", "-10:00"],
    ["Alaska", "-09:00"],
    ["Pacific Time (US & Canada)", "-08:00"],
    ["Newfoundland", "-03:30"],
    ["UTC", "+00:00"],
    ["Edinburgh", "+00:00"],
    ["Bern", "+01:00"],
    ["West Central Africa", "+01:00"],
    ["Kyiv", "+02:00"],
    ["St. Petersburg", "+03:00"],
    ["Abu Dhabi", "+04:00"],
    ["New Delhi", "+05:30"],
    ["Kathmandu", "+05:45"],
    ["Astana", "+05:00"],
    ["Rangoon", "+06:30"],
    ["Chongqing", "+08:00"],
    ["Adelaide", "+10:30"],
    ["Canberra", "+11:00"],
    ["Chatham Is.", "+13:45"],
    ["Samoa", "+13:00"],
  ])("%s is %s in January 2026", (name, offset) => {
    const january = Temporal.Instant.from("2026-01-15T00:00Z");
    expect(january.toZonedDateTimeISO(ianaZone(name)).offset).toBe(offset);
  });
});

describe("spellings", () => {
  it("accepts Mazatl\u00e1n with and without its accent, in either Unicode form", () => {
    for (const spelling of ["Mazatl\u00e1n", "Mazatlan", "Mazatla\u0301n"]) {
      expect(listedTimeZone(spelling)).toBe("Mazatl\u00e1n");
      expect(ianaZone(spelling)).toBe("America/Mazatlan");
    }
  });

  it.each(["berlin", "Europe/Berlin", "", "Atlantis", "__proto__", "constructor"])(
    "does not list %j",
    (name) => {
      expect(listedTimeZone(name)).toBeNull();
      expect(ianaZone(name)).toBe(name);
    },
  );

  it.each([
    ["Berlin", true],
    ["Mazatlan", true],
    ["Europe/Berlin", true],
    ["America/Argentina/Buenos_Aires", true],
    ["Atlantis", false],
    ["+02:00", false],
    ["", false],
    ["Europe/Berlin; drop", false],
  ])("knows %j: %s", (name, known) => {
    expect(isKnownZone(name)).toBe(known);
  });
});
