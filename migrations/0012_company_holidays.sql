CREATE TABLE `company_holidays` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`name` text NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`repeats_yearly` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `company_holidays_prefix_id` ON `company_holidays` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `company_holidays_created` ON `company_holidays` (`account_id`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `changes` ADD `record_after` text;--> statement-breakpoint
ALTER TABLE `absence_calendars` ADD `company_holidays` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- Totals of lists (contract 1, Lists).
CREATE TRIGGER company_holidays_total_down AFTER DELETE ON company_holidays BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'company_holidays';
END;
--> statement-breakpoint
CREATE TRIGGER company_holidays_total_up AFTER INSERT ON company_holidays BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'company_holidays', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
