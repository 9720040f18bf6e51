// The set-up of every integration type. A type without one does not compile.
import type * as types from "../all-types.ts";
import { appdynamics } from "../types/applications/set-up/appdynamics.ts";
import { bugsnag } from "../types/applications/set-up/bugsnag.ts";
import { datadog } from "../types/applications/set-up/datadog.ts";
import { dynatrace } from "../types/applications/set-up/dynatrace.ts";
import { elastic } from "../types/applications/set-up/elastic.ts";
import { honeybadger } from "../types/applications/set-up/honeybadger.ts";
import { instana } from "../types/applications/set-up/instana.ts";
import { newRelic } from "../types/applications/set-up/new-relic.ts";
import { rollbar } from "../types/applications/set-up/rollbar.ts";
import { sentry } from "../types/applications/set-up/sentry.ts";
import { splunkObservability } from "../types/applications/set-up/splunk-observability.ts";
import { discordApp } from "../types/chat/set-up/discord-app.ts";
import { googleChat } from "../types/chat/set-up/google-chat.ts";
import { googleChatApp } from "../types/chat/set-up/google-chat-app.ts";
import { mattermost } from "../types/chat/set-up/mattermost.ts";
import { mattermostApp } from "../types/chat/set-up/mattermost-app.ts";
import { mattermostOutgoingWebhook } from "../types/chat/set-up/mattermost-outgoing-webhook.ts";
import { slack } from "../types/chat/set-up/slack.ts";
import { slackApp } from "../types/chat/set-up/slack-app.ts";
import { slackOutgoingWebhook } from "../types/chat/set-up/slack-outgoing-webhook.ts";
import { teams } from "../types/chat/set-up/teams.ts";
import { teamsApp } from "../types/chat/set-up/teams-app.ts";
import { awsCloudwatch } from "../types/cloud/set-up/aws-cloudwatch.ts";
import { awsEventbridge } from "../types/cloud/set-up/aws-eventbridge.ts";
import { awsHealth } from "../types/cloud/set-up/aws-health.ts";
import { azureMonitor } from "../types/cloud/set-up/azure-monitor.ts";
import { cloudflare } from "../types/cloud/set-up/cloudflare.ts";
import { googleCloudMonitoring } from "../types/cloud/set-up/google-cloud-monitoring.ts";
import { cloudevents } from "../types/general/set-up/cloudevents.ts";
import { customWebhook } from "../types/general/set-up/custom-webhook.ts";
import { email } from "../types/general/set-up/email.ts";
import { outgoingWebhook } from "../types/general/set-up/outgoing-webhook.ts";
import { webhook } from "../types/general/set-up/webhook.ts";
import { deadMansSnitch } from "../types/heartbeats/set-up/dead-mans-snitch.ts";
import { healthchecks } from "../types/heartbeats/set-up/healthchecks.ts";
import { heartbeat } from "../types/heartbeats/set-up/heartbeat.ts";
import { auvik } from "../types/infrastructure/set-up/auvik.ts";
import { checkmk } from "../types/infrastructure/set-up/checkmk.ts";
import { logicmonitor } from "../types/infrastructure/set-up/logicmonitor.ts";
import { nagios } from "../types/infrastructure/set-up/nagios.ts";
import { prtg } from "../types/infrastructure/set-up/prtg.ts";
import { scom } from "../types/infrastructure/set-up/scom.ts";
import { sensu } from "../types/infrastructure/set-up/sensu.ts";
import { site24x7 } from "../types/infrastructure/set-up/site24x7.ts";
import { solarwinds } from "../types/infrastructure/set-up/solarwinds.ts";
import { zabbix } from "../types/infrastructure/set-up/zabbix.ts";
import { elastalert } from "../types/metrics/set-up/elastalert.ts";
import { grafana } from "../types/metrics/set-up/grafana.ts";
import { graylog } from "../types/metrics/set-up/graylog.ts";
import { kapacitor } from "../types/metrics/set-up/kapacitor.ts";
import { netdata } from "../types/metrics/set-up/netdata.ts";
import { prometheus } from "../types/metrics/set-up/prometheus.ts";
import { splunk } from "../types/metrics/set-up/splunk.ts";
import { opsgenie } from "../types/paging/set-up/opsgenie.ts";
import { pagerduty } from "../types/paging/set-up/pagerduty.ts";
import { pagerdutyEvents } from "../types/paging/set-up/pagerduty-events.ts";
import { victorops } from "../types/paging/set-up/victorops.ts";
import { betterStack } from "../types/uptime/set-up/better-stack.ts";
import { checkly } from "../types/uptime/set-up/checkly.ts";
import { cronitor } from "../types/uptime/set-up/cronitor.ts";
import { hetrixtools } from "../types/uptime/set-up/hetrixtools.ts";
import { hyperping } from "../types/uptime/set-up/hyperping.ts";
import { pingdom } from "../types/uptime/set-up/pingdom.ts";
import { pulsetic } from "../types/uptime/set-up/pulsetic.ts";
import { statuscake } from "../types/uptime/set-up/statuscake.ts";
import { statusgator } from "../types/uptime/set-up/statusgator.ts";
import { uptimeCom } from "../types/uptime/set-up/uptime-com.ts";
import { uptimeKuma } from "../types/uptime/set-up/uptime-kuma.ts";
import { uptimerobot } from "../types/uptime/set-up/uptimerobot.ts";
import { freshdesk } from "../types/work/set-up/freshdesk.ts";
import { github } from "../types/work/set-up/github.ts";
import { gitlab } from "../types/work/set-up/gitlab.ts";
import { jenkins } from "../types/work/set-up/jenkins.ts";
import { jira } from "../types/work/set-up/jira.ts";
import { servicenow } from "../types/work/set-up/servicenow.ts";
import { typeform } from "../types/work/set-up/typeform.ts";
import { zendesk } from "../types/work/set-up/zendesk.ts";
import type { SetUp } from "./set-up.ts";

export const setUps: Readonly<Record<keyof typeof types, SetUp>> = {
  appdynamics,
  auvik,
  awsCloudwatch,
  awsEventbridge,
  awsHealth,
  azureMonitor,
  betterStack,
  bugsnag,
  checkly,
  checkmk,
  cloudevents,
  cloudflare,
  cronitor,
  customWebhook,
  datadog,
  deadMansSnitch,
  dynatrace,
  elastalert,
  elastic,
  email,
  freshdesk,
  github,
  gitlab,
  googleChat,
  googleCloudMonitoring,
  grafana,
  graylog,
  healthchecks,
  heartbeat,
  hetrixtools,
  honeybadger,
  hyperping,
  instana,
  jenkins,
  jira,
  kapacitor,
  logicmonitor,
  discordApp,
  googleChatApp,
  mattermost,
  mattermostApp,
  mattermostOutgoingWebhook,
  nagios,
  netdata,
  newRelic,
  opsgenie,
  outgoingWebhook,
  pagerduty,
  pagerdutyEvents,
  pingdom,
  prometheus,
  prtg,
  pulsetic,
  rollbar,
  scom,
  sensu,
  sentry,
  servicenow,
  site24x7,
  slack,
  slackApp,
  slackOutgoingWebhook,
  solarwinds,
  splunk,
  splunkObservability,
  statuscake,
  statusgator,
  teams,
  teamsApp,
  typeform,
  uptimeCom,
  uptimeKuma,
  uptimerobot,
  victorops,
  webhook,
  zabbix,
  zendesk,
};
