// The set-up of every integration type. A type without one does not compile.
import type * as types from "./all-types.ts";
import { appdynamics } from "./applications/appdynamics-set-up.ts";
import { bugsnag } from "./applications/bugsnag-set-up.ts";
import { datadog } from "./applications/datadog-set-up.ts";
import { dynatrace } from "./applications/dynatrace-set-up.ts";
import { elastic } from "./applications/elastic-set-up.ts";
import { honeybadger } from "./applications/honeybadger-set-up.ts";
import { instana } from "./applications/instana-set-up.ts";
import { newRelic } from "./applications/new-relic-set-up.ts";
import { rollbar } from "./applications/rollbar-set-up.ts";
import { sentry } from "./applications/sentry-set-up.ts";
import { splunkObservability } from "./applications/splunk-observability-set-up.ts";
import { awsCloudwatch } from "./cloud/aws-cloudwatch-set-up.ts";
import { awsEventbridge } from "./cloud/aws-eventbridge-set-up.ts";
import { awsHealth } from "./cloud/aws-health-set-up.ts";
import { azureMonitor } from "./cloud/azure-monitor-set-up.ts";
import { cloudflare } from "./cloud/cloudflare-set-up.ts";
import { googleCloudMonitoring } from "./cloud/google-cloud-monitoring-set-up.ts";
import { discordApp } from "./discord/discord-app-set-up.ts";
import { cloudevents } from "./general/cloudevents-set-up.ts";
import { customWebhook } from "./general/custom-webhook-set-up.ts";
import { email } from "./general/email-set-up.ts";
import { outgoingWebhook } from "./general/outgoing-webhook-set-up.ts";
import { webhook } from "./general/webhook-set-up.ts";
import { googleChatApp } from "./google-chat/google-chat-app-set-up.ts";
import { googleChat } from "./google-chat/google-chat-set-up.ts";
import { auvik } from "./infrastructure/auvik-set-up.ts";
import { checkmk } from "./infrastructure/checkmk-set-up.ts";
import { logicmonitor } from "./infrastructure/logicmonitor-set-up.ts";
import { nagios } from "./infrastructure/nagios-set-up.ts";
import { prtg } from "./infrastructure/prtg-set-up.ts";
import { scom } from "./infrastructure/scom-set-up.ts";
import { sensu } from "./infrastructure/sensu-set-up.ts";
import { site24x7 } from "./infrastructure/site24x7-set-up.ts";
import { solarwinds } from "./infrastructure/solarwinds-set-up.ts";
import { zabbix } from "./infrastructure/zabbix-set-up.ts";
import { mattermostApp } from "./mattermost/mattermost-app-set-up.ts";
import { mattermostOutgoingWebhook } from "./mattermost/mattermost-outgoing-webhook-set-up.ts";
import { mattermost } from "./mattermost/mattermost-set-up.ts";
import { elastalert } from "./metrics/elastalert-set-up.ts";
import { grafana } from "./metrics/grafana-set-up.ts";
import { graylog } from "./metrics/graylog-set-up.ts";
import { kapacitor } from "./metrics/kapacitor-set-up.ts";
import { netdata } from "./metrics/netdata-set-up.ts";
import { prometheus } from "./metrics/prometheus-set-up.ts";
import { splunk } from "./metrics/splunk-set-up.ts";
import { opsgenie } from "./paging/opsgenie-set-up.ts";
import { pagerdutyEvents } from "./paging/pagerduty-events-set-up.ts";
import { pagerduty } from "./paging/pagerduty-set-up.ts";
import { victorops } from "./paging/victorops-set-up.ts";
import type { SetUp } from "./set-up.ts";
import { slackApp } from "./slack/slack-app-set-up.ts";
import { slackOutgoingWebhook } from "./slack/slack-outgoing-webhook-set-up.ts";
import { slack } from "./slack/slack-set-up.ts";
import { teamsApp } from "./teams/teams-app-set-up.ts";
import { teams } from "./teams/teams-set-up.ts";
import { betterStack } from "./uptime/better-stack-set-up.ts";
import { checkly } from "./uptime/checkly-set-up.ts";
import { cronitor } from "./uptime/cronitor-set-up.ts";
import { deadMansSnitch } from "./uptime/dead-mans-snitch-set-up.ts";
import { healthchecks } from "./uptime/healthchecks-set-up.ts";
import { heartbeat } from "./uptime/heartbeat-set-up.ts";
import { hetrixtools } from "./uptime/hetrixtools-set-up.ts";
import { hyperping } from "./uptime/hyperping-set-up.ts";
import { pingdom } from "./uptime/pingdom-set-up.ts";
import { pulsetic } from "./uptime/pulsetic-set-up.ts";
import { statuscake } from "./uptime/statuscake-set-up.ts";
import { statusgator } from "./uptime/statusgator-set-up.ts";
import { uptimeCom } from "./uptime/uptime-com-set-up.ts";
import { uptimeKuma } from "./uptime/uptime-kuma-set-up.ts";
import { uptimerobot } from "./uptime/uptimerobot-set-up.ts";
import { freshdesk } from "./work/freshdesk-set-up.ts";
import { github } from "./work/github-set-up.ts";
import { gitlab } from "./work/gitlab-set-up.ts";
import { jenkins } from "./work/jenkins-set-up.ts";
import { jira } from "./work/jira-set-up.ts";
import { servicenow } from "./work/servicenow-set-up.ts";
import { typeform } from "./work/typeform-set-up.ts";
import { zendesk } from "./work/zendesk-set-up.ts";

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
