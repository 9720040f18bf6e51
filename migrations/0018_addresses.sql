ALTER TABLE `integrations` ADD `accepts_id` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `integrations` ADD `accepts_get` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `integrations` ADD `address_version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `integrations` ADD `previous_address_until` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `integrations_by_id` integer DEFAULT true NOT NULL;--> statement-breakpoint
UPDATE `integrations` SET `accepts_get` = 1 WHERE `integration_type` IN ('heartbeat', 'uptimerobot');