// Every page of the console and everything a form of it does, in one visible list.
import type { ConsolePage } from "./page.ts";
import { alertPages } from "./pages/alert.tsx";
import { alertActions } from "./pages/alert-actions.tsx";
import { alertNewPages } from "./pages/alert-new.tsx";
import { alertsPages } from "./pages/alerts.tsx";
import { onCallPages } from "./pages/on-call.tsx";
import { passwordPages } from "./pages/password.tsx";
import { setUpPages } from "./pages/set-up.tsx";
import { settingsPages } from "./pages/settings.tsx";
import { settingsActions } from "./pages/settings-actions.tsx";
import { signInPages } from "./pages/sign-in.tsx";
import { singleSignOnPages } from "./pages/single-sign-on.ts";

export const pages: readonly ConsolePage[] = [
  ...signInPages,
  ...singleSignOnPages,
  ...passwordPages,
  ...alertsPages,
  ...alertNewPages,
  ...alertActions,
  ...alertPages,
  ...onCallPages,
  ...settingsPages,
  ...settingsActions,
  ...setUpPages,
];
