// System Center Operations Manager: a command channel that runs a script.
import type { SetUp } from "../set-up.ts";
import sample from "./scom-sample.json" with { type: "json" };

export const scom: SetUp = {
  kind: "incoming",
  steps: [
    "Save the script below on the management servers.",
    "Add a command notification channel that runs powershell.exe with the script and the alert's id.",
    "Add a subscription with the channel for alerts that are new, acknowledged and closed.",
  ],
  snippets: [
    {
      title: "PowerShell script",
      format: "text",
      text: `param([string]$AlertId)
Import-Module OperationsManager
$alert = Get-SCOMAlert -Id $AlertId
$states = @{ 0 = 'New'; 249 = 'Acknowledged'; 255 = 'Closed' }
$body = @{
  alertId = "$($alert.Id)"
  alertName = $alert.Name
  alertDescription = $alert.Description
  resolutionState = $states[[int]$alert.ResolutionState]
  severity = "$([int]$alert.Severity)"
  managedEntitySource = $alert.MonitoringObjectFullName
} | ConvertTo-Json
Invoke-RestMethod -Method Post -Uri '<URL>' -ContentType 'application/json' -Body $body`,
    },
  ],
  standby:
    "Save the script a second time, with a channel and a subscription of its own and the standby's URL: <STANDBY_URL>",
  sample,
};
