CREATE TABLE `watched_accounts` (
	`account_id` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
) WITHOUT ROWID;
