// The configuration file in a browser: downloaded, changed, previewed and applied.
import { describe, expect, test } from "vitest";
import { selectSome } from "../../support/generated/sizes.ts";
import { expectAccessible } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

/** A colour scheme, and a width: one of them under `npm test`. */
const VARIANTS = [
  ["light", 1440],
  ["dark", 390],
] as const;

describe.skipIf(chromiumPath === null)("the configuration file in a browser", () => {
  onStage((opened) => {
    stage = opened;
  });

  test.each(selectSome(VARIANTS, 1, 1))(
    "is downloaded, changed, previewed and applied: %s, %i px",
    async (colorScheme, width) => {
      const viewport = { width, height: 844 };
      const page = await stage.signIn("ada@example.com", { colorScheme, viewport });
      await page.routeWebSocket("**/live*", (socket) => socket.close());
      await page.goto("/configuration");
      await page.getByRole("link", { name: "Configuration file" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download" }).click(),
      ]);
      const text = (await download.createReadStream().then((it) => it.toArray())).join("");
      expect(text).toContain("tocsin: 1");

      const file = page.getByLabel("File", { exact: true });
      const wrong = `tocsin: 1\nteams: [{ key: file-${width}, name: Filed, members: [x@y.example] }]\n`;
      await file.fill(wrong);
      await page.getByRole("button", { name: "Preview changes" }).click();
      await page.getByText("teams[0].members[0] names the person x@y.example").waitFor();
      await expectAccessible(page);

      const chosen = { name: "configuration.yaml", mimeType: "application/yaml" };
      const buffer = Buffer.from(`${text}# changed\n`);
      await page.getByLabel("Choose a file").setInputFiles({ ...chosen, buffer });
      await expect.poll(() => file.inputValue()).toContain("# changed");
      await page.getByRole("button", { name: "Preview changes" }).click();
      await page.getByText("The file changes nothing").waitFor();

      const added = `tocsin: 1\nschedules: [{ key: file-${width}, name: From a file ${width} }]\n`;
      await file.fill(added);
      await page.getByRole("button", { name: "Preview changes" }).click();
      await page.getByRole("row", { name: new RegExp(`file-${width}`) }).waitFor();
      await saveScreenshot(page, `configuration-file-${width}`);
      await expectAccessible(page);
      // What was not shown is not applied.
      await file.fill(added.replace("From", "Twice from"));
      await page.getByRole("button", { name: "Apply 1 change" }).click();
      await page.getByRole("row", { name: new RegExp(`file-${width}`) }).waitFor();
      await file.fill(added);
      await page.getByRole("button", { name: "Preview changes" }).click();
      await page.getByRole("button", { name: "Apply 1 change" }).click();
      await page.getByText("Configuration imported: 1 change").waitFor();
      await page.goto(`/on-call?q=From+a+file+${width}`);
      await page.getByText(`From a file ${width}`).first().waitFor();
    },
  );
});
