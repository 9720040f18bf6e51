CREATE TABLE `cover_request_people` (
	`account_id` text NOT NULL,
	`request_id` text NOT NULL,
	`account_user_id` text NOT NULL,
	`position` integer NOT NULL,
	`answer` text DEFAULT 'pending' NOT NULL,
	`answered_at` integer,
	`channel` text,
	PRIMARY KEY(`request_id`, `account_user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `cover_request_people_account` ON `cover_request_people` (`account_id`,`account_user_id`);--> statement-breakpoint
CREATE TABLE `cover_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`account_user_id` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`schedule_ids` text,
	`return_start_at` integer,
	`return_end_at` integer,
	`reason` text,
	`status` text NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	`accepted_by` text,
	`cover_ids` text DEFAULT '[]' NOT NULL,
	`hours` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `cover_requests_prefix_id` ON `cover_requests` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `cover_requests_created` ON `cover_requests` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `cover_requests_open` ON `cover_requests` (`account_id`,`account_user_id`) WHERE status = 'open';
--> statement-breakpoint
CREATE TRIGGER cover_requests_total_down AFTER DELETE ON cover_requests BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'cover_requests';
END;
--> statement-breakpoint
CREATE TRIGGER cover_requests_total_up AFTER INSERT ON cover_requests BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'cover_requests', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
-- The request's object is told of it and of its changes: whom to notify, and when it expires.
CREATE TRIGGER cover_requests_added AFTER INSERT ON cover_requests BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.id, NEW.account_id, 'cover_request', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
-- The object itself notes that a request has expired.
CREATE TRIGGER cover_requests_changed AFTER UPDATE ON cover_requests
WHEN OLD.status = 'open' AND NEW.status <> 'expired'
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.id, NEW.account_id, 'cover_request', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
