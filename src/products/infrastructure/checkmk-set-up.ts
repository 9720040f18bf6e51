// Checkmk: a notification script that posts its environment.
import type { SetUp } from "../set-up.ts";
import sample from "./checkmk-sample.json" with { type: "json" };

export const checkmk: SetUp = {
  kind: "incoming",
  steps: [
    "Save the script below as local/share/check_mk/notifications/tocsin in the site, and make it executable.",
    "In Checkmk, open Setup, Events, Notifications, and add a rule with the method Tocsin.",
    "Keep the events for recoveries and acknowledgements switched on.",
  ],
  snippets: [
    {
      title: "Notification script",
      format: "text",
      text: `#!/usr/bin/env python3
# Tocsin
import json
import os
import urllib.request

fields = {name: value for name, value in os.environ.items() if name.startswith("NOTIFY_")}
request = urllib.request.Request("<URL>", json.dumps(fields).encode())
request.add_header("Content-Type", "application/json")
request.add_header("service-token", "<TOKEN>")
urllib.request.urlopen(request, timeout=30)`,
    },
  ],
  standby:
    "Save the script a second time as tocsin-standby, with a rule of its own and the standby's URL: <STANDBY_URL>",
  sample,
};
