CREATE TABLE `exercises` (
	`account_id` text NOT NULL,
	`alert_id` text NOT NULL,
	`kind` text NOT NULL,
	`started_by_id` text NOT NULL,
	`team_id` text,
	PRIMARY KEY(`account_id`, `alert_id`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `account_users` ADD `readiness_digest` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `account_users` ADD `push_ended_at` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `page_answered_at` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `readiness_digest` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE TRIGGER account_users_readiness_added AFTER INSERT ON account_users
WHEN NEW.admin AND NEW.state = 'active'
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.id, NEW.account_id, 'person', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER account_users_readiness_changed AFTER UPDATE OF admin, state, readiness_digest ON account_users
WHEN (NEW.admin AND NEW.state = 'active' AND NEW.readiness_digest)
  <> (OLD.admin AND OLD.state = 'active' AND OLD.readiness_digest)
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.id, NEW.account_id, 'person', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER accounts_readiness_changed AFTER UPDATE OF readiness_digest ON accounts
WHEN NEW.readiness_digest <> OLD.readiness_digest
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT id, account_id, 'person', hex(randomblob(8)) FROM account_users
      WHERE account_id = NEW.id AND admin AND state = 'active'
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
INSERT INTO on_call_changes (id, account_id, kind, version)
  SELECT id, account_id, 'person', hex(randomblob(8)) FROM account_users
    WHERE admin AND state = 'active'
  ON CONFLICT (id) DO UPDATE SET version = excluded.version;
