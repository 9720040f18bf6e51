// Every integration type. A new one is one file in `types/` and one line here.
import type { IntegrationType } from "./integration-type.ts";
import { awsCloudwatch } from "./types/aws-cloudwatch.ts";
import { awsEventbridge } from "./types/aws-eventbridge.ts";
import { awsHealth } from "./types/aws-health.ts";
import { azureMonitor } from "./types/azure-monitor.ts";
import { checkmk } from "./types/checkmk.ts";
import { cloudevents } from "./types/cloudevents.ts";
import { cloudflare } from "./types/cloudflare.ts";
import { cronitor } from "./types/cronitor.ts";
import { customWebhook } from "./types/custom-webhook.ts";
import { datadog } from "./types/datadog.ts";
import { deadMansSnitch } from "./types/dead-mans-snitch.ts";
import { dynatrace } from "./types/dynatrace.ts";
import { elastalert } from "./types/elastalert.ts";
import { email } from "./types/email.ts";
import { freshdesk } from "./types/freshdesk.ts";
import { github } from "./types/github.ts";
import { gitlab } from "./types/gitlab.ts";
import { googleChat } from "./types/google-chat.ts";
import { googleCloudMonitoring } from "./types/google-cloud-monitoring.ts";
import { grafana } from "./types/grafana.ts";
import { healthchecks } from "./types/healthchecks.ts";
import { heartbeat } from "./types/heartbeat.ts";
import { honeybadger } from "./types/honeybadger.ts";
import { jira } from "./types/jira.ts";
import { kapacitor } from "./types/kapacitor.ts";
import { logicmonitor } from "./types/logicmonitor.ts";
import { mattermost } from "./types/mattermost.ts";
import { mattermostOutgoingWebhook } from "./types/mattermost-outgoing-webhook.ts";
import { nagios } from "./types/nagios.ts";
import { newRelic } from "./types/new-relic.ts";
import { opsgenie } from "./types/opsgenie.ts";
import { outgoingWebhook } from "./types/outgoing-webhook.ts";
import { pagerduty } from "./types/pagerduty.ts";
import { pagerdutyEvents } from "./types/pagerduty-events.ts";
import { pingdom } from "./types/pingdom.ts";
import { prometheus } from "./types/prometheus.ts";
import { prtg } from "./types/prtg.ts";
import { sensu } from "./types/sensu.ts";
import { sentry } from "./types/sentry.ts";
import { site24x7 } from "./types/site24x7.ts";
import { slack } from "./types/slack.ts";
import { slackOutgoingWebhook } from "./types/slack-outgoing-webhook.ts";
import { solarwinds } from "./types/solarwinds.ts";
import { statuscake } from "./types/statuscake.ts";
import { teams } from "./types/teams.ts";
import { typeform } from "./types/typeform.ts";
import { uptimeCom } from "./types/uptime-com.ts";
import { uptimeKuma } from "./types/uptime-kuma.ts";
import { uptimerobot } from "./types/uptimerobot.ts";
import { webhook } from "./types/webhook.ts";
import { zabbix } from "./types/zabbix.ts";
import { zendesk } from "./types/zendesk.ts";

export const integrationTypes: readonly IntegrationType[] = [
  awsCloudwatch,
  awsEventbridge,
  awsHealth,
  azureMonitor,
  checkmk,
  cloudevents,
  cloudflare,
  cronitor,
  customWebhook,
  datadog,
  deadMansSnitch,
  dynatrace,
  elastalert,
  email,
  freshdesk,
  github,
  gitlab,
  googleChat,
  googleCloudMonitoring,
  grafana,
  healthchecks,
  heartbeat,
  honeybadger,
  jira,
  kapacitor,
  logicmonitor,
  mattermost,
  mattermostOutgoingWebhook,
  nagios,
  newRelic,
  opsgenie,
  outgoingWebhook,
  pagerduty,
  pagerdutyEvents,
  pingdom,
  prometheus,
  prtg,
  sensu,
  sentry,
  site24x7,
  slack,
  slackOutgoingWebhook,
  solarwinds,
  statuscake,
  teams,
  typeform,
  uptimeCom,
  uptimeKuma,
  uptimerobot,
  webhook,
  zabbix,
  zendesk,
];

const BY_NAME: ReadonlyMap<string, IntegrationType> = new Map(
  integrationTypes.map((type) => [type.name, type]),
);

/** The type of that name (snake_case, exact), or null. */
export function integrationTypeNamed(name: string): IntegrationType | null {
  return BY_NAME.get(name) ?? null;
}
