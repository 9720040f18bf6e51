CREATE TABLE `absence_calendars` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`account_user_id` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`last_read_at` integer,
	`last_error` text,
	`failing_since` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`next_read_at` integer NOT NULL,
	`complete_at` integer,
	`etag` text,
	`last_modified` text,
	FOREIGN KEY (`account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `absence_calendars_prefix_id` ON `absence_calendars` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `absence_calendars_created` ON `absence_calendars` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `absence_calendars_person` ON `absence_calendars` (`account_user_id`);--> statement-breakpoint
CREATE INDEX `absence_calendars_next` ON `absence_calendars` (`next_read_at`);--> statement-breakpoint
CREATE TABLE `calendar_import_texts` (
	`import_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`ical` text NOT NULL,
	FOREIGN KEY (`import_id`) REFERENCES `calendar_imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `calendar_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`schedule_id` text NOT NULL,
	`name` text NOT NULL,
	`layer` integer DEFAULT 1 NOT NULL,
	`url` text,
	`last_read_at` integer,
	`last_error` text,
	`failing_since` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`next_read_at` integer NOT NULL,
	`complete_at` integer,
	`etag` text,
	`last_modified` text,
	`shift_count` integer DEFAULT 0 NOT NULL,
	`unmatched` text DEFAULT '[]' NOT NULL,
	`imported_until` integer,
	FOREIGN KEY (`schedule_id`) REFERENCES `schedules`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_imports_prefix_id` ON `calendar_imports` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `calendar_imports_created` ON `calendar_imports` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `calendar_imports_schedule` ON `calendar_imports` (`schedule_id`);--> statement-breakpoint
CREATE INDEX `calendar_imports_next` ON `calendar_imports` (`next_read_at`);--> statement-breakpoint
CREATE TABLE `unavailabilities` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`account_user_id` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`reason` text,
	`absence_calendar_id` text,
	`calendar_key` text,
	FOREIGN KEY (`account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`absence_calendar_id`) REFERENCES `absence_calendars`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `unavailabilities_prefix_id` ON `unavailabilities` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `unavailabilities_created` ON `unavailabilities` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `unavailabilities_person` ON `unavailabilities` (`account_user_id`,`end_at`);--> statement-breakpoint
CREATE INDEX `unavailabilities_calendar` ON `unavailabilities` (`absence_calendar_id`);--> statement-breakpoint
ALTER TABLE `events` ADD `import_id` text;--> statement-breakpoint
ALTER TABLE `events` ADD `import_key` text;--> statement-breakpoint
CREATE INDEX `events_import` ON `events` (`import_id`,`end_at`) WHERE import_id is not null;--> statement-breakpoint
CREATE TRIGGER absence_calendars_total_down AFTER DELETE ON absence_calendars BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'absence_calendars';
END;
--> statement-breakpoint
CREATE TRIGGER absence_calendars_total_up AFTER INSERT ON absence_calendars BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'absence_calendars', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER calendar_imports_total_down AFTER DELETE ON calendar_imports BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'calendar_imports';
END;
--> statement-breakpoint
CREATE TRIGGER calendar_imports_total_up AFTER INSERT ON calendar_imports BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'calendar_imports', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER unavailabilities_total_down AFTER DELETE ON unavailabilities BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'unavailabilities';
END;
--> statement-breakpoint
CREATE TRIGGER unavailabilities_total_up AFTER INSERT ON unavailabilities BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'unavailabilities', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
