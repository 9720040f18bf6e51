CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`integration_id` text NOT NULL,
	`effect_id` text NOT NULL,
	`event` text NOT NULL,
	`alert_id` text,
	`lane` text NOT NULL,
	`happened_at` integer NOT NULL,
	`sequence` integer NOT NULL,
	`status` text DEFAULT 'queued' NOT NULL,
	`said` text DEFAULT '{}' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`queued_at` integer NOT NULL,
	`next_at` integer,
	`attempted_at` integer,
	`response_code` integer,
	`reason` text,
	`delivered_at` integer,
	`failed_at` integer,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_prefix_id` ON `deliveries` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_effect` ON `deliveries` (`integration_id`,`effect_id`);--> statement-breakpoint
CREATE INDEX `deliveries_created` ON `deliveries` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_integration` ON `deliveries` (`account_id`,`integration_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `deliveries_waiting` ON `deliveries` (`integration_id`,`lane`,`happened_at`,`sequence`) WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX `deliveries_next` ON `deliveries` (`next_at`) WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX `integrations_type` ON `integrations` (`account_id`,`integration_type`);