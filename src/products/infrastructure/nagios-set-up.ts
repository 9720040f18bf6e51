// Nagios, Icinga and Naemon: notification commands that post the macros.
import type { SetUp } from "../set-up.ts";
import sample from "./nagios-sample.json" with { type: "json" };

export const nagios: SetUp = {
  kind: "incoming",
  steps: [
    "Add the two commands below to the configuration.",
    "Choose them as notification commands of a contact, also for recoveries (r) and acknowledgements.",
    "Reload the configuration.",
  ],
  snippets: [
    {
      title: "Commands",
      format: "text",
      text: `define command {
  command_name  notify-service-by-tocsin
  command_line  curl -fsS --retry 3 '<URL>' --data-urlencode 'NOTIFICATIONTYPE=$NOTIFICATIONTYPE$' --data-urlencode 'HOSTNAME=$HOSTNAME$' --data-urlencode 'SERVICEDESC=$SERVICEDESC$' --data-urlencode 'SERVICESTATE=$SERVICESTATE$' --data-urlencode 'SERVICEOUTPUT=$SERVICEOUTPUT$'
}

define command {
  command_name  notify-host-by-tocsin
  command_line  curl -fsS --retry 3 '<URL>' --data-urlencode 'NOTIFICATIONTYPE=$NOTIFICATIONTYPE$' --data-urlencode 'HOSTNAME=$HOSTNAME$' --data-urlencode 'HOSTSTATE=$HOSTSTATE$' --data-urlencode 'HOSTOUTPUT=$HOSTOUTPUT$'
}`,
    },
  ],
  standby:
    "Add both commands a second time under other names, choose them for the same contact, and enter the standby's URL: <STANDBY_URL>",
  sample,
};
