// The names of browsers in the lists of sessions and of browsers with web push.
import { expect, test } from "vitest";
import { deviceName } from "../../../src/domain/access/device-name.ts";

const ENGINE = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${ENGINE} Chrome/142.0 Safari/537.36`,
    "Chrome, Windows",
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${ENGINE} Chrome/142.0 Safari/537.36 Edg/142.0`,
    "Edge, Windows",
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${ENGINE} HeadlessChrome/142.0 Safari/537.36`, "Chrome, Linux"],
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${ENGINE} Chrome/142.0 Safari/537.36 OPR/124.0`,
    "Opera, Linux",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox, Linux"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
    "Safari, Mac",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1",
    "Chrome, iPhone",
  ],
  [
    `Mozilla/5.0 (Linux; Android 16; Pixel 9) ${ENGINE} Chrome/142.0 Mobile Safari/537.36`,
    "Chrome, Android",
  ],
  ["curl/8.14.1", "curl"],
  ["", "A browser"],
])("%s", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
