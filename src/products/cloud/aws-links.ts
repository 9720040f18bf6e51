// Builds links to pages of the AWS console from the partition and region in an ARN.

const DOMAINS: ReadonlyMap<string, string> = new Map([
  ["aws", "console.aws.amazon.com"],
  ["aws-cn", "console.amazonaws.cn"],
  ["aws-us-gov", "console.amazonaws-us-gov.com"],
]);

const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d$/;

/** The URL of a service's page in a region; null if the partition or region is unknown. */
export function consolePage(
  partition: string,
  region: string | null,
  path: (region: string) => string,
): string | null {
  const domain = DOMAINS.get(partition);
  if (domain === undefined || region === null || !REGION.test(region)) return null;
  return `https://${region}.${domain}/${path(region)}`;
}

/** The URL of a CloudWatch alarm's page; null if the ARN is not an alarm's. */
export function alarmPage(arn: string | null): string | null {
  const [, partition = "", region = "", name = ""] =
    /^arn:(aws[\w-]*):cloudwatch:([\w-]+):\d*:alarm:(.+)$/.exec(arn ?? "") ?? [];
  const page = `#alarmsV2:alarm/${encodeURIComponent(name)}`;
  return consolePage(partition, region, (it) => `cloudwatch/home?region=${it}${page}`);
}

/** The name at the end of an ARN. */
export const nameInArn = (arn: string | null): string | null =>
  arn === null ? null : (/[^:/]+$/.exec(arn)?.[0] ?? arn);
